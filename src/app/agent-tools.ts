import type { Clock } from '../base/clock.ts';
import type { StateDb } from '../db/open.ts';
import type { MessageId, RunId } from '../domain/ids.ts';
import type { Memory } from '../memory/port.ts';
import { askOwnerTool } from '../tools/ask-owner.ts';
import { delegateTool } from '../tools/delegate.ts';
import type { memoryForModels } from '../tools/memory-for-models.ts';
import { memoryForgetTool } from '../tools/memory-forget.ts';
import { memoryGetTool } from '../tools/memory-get.ts';
import { memorySearchTool } from '../tools/memory-search.ts';
import { memoryWriteTool } from '../tools/memory-write.ts';
import { openInboxTool } from '../tools/open-inbox.ts';
import { planTool } from '../tools/plan.ts';
import type { Tool } from '../tools/port.ts';
import { ToolRegistry, type ToolSource } from '../tools/registry.ts';
import { remindTool } from '../tools/reminders/remind.ts';
import type { Reminders } from '../tools/reminders/reminders.ts';
import { chatSearch, searchChatsTool } from '../tools/search-chats.ts';
import type { SkillReader } from '../tools/skills/port.ts';
import { readSkillTool } from '../tools/skills/read-skill.ts';
import { skillWriteTool } from '../tools/skills/skill-write.ts';
import { waitForEventTool } from '../tools/wait-for-event.ts';
import { waitUntilTool } from '../tools/wait-until.ts';
import type { GrantedFolders, WorkspaceFiles } from '../tools/workspace/port.ts';
import { workspaceTools } from '../tools/workspace/tools.ts';
import { systemTrash } from '../tools/workspace/trash.ts';

export interface AgentToolsDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly memory: Memory;
	/** Memory as models are told of it. */
	readonly told: ReturnType<typeof memoryForModels>;
	readonly reminders: Pick<Reminders, 'set'>;
	readonly skills: SkillReader;
	readonly workspace: WorkspaceFiles;
	readonly granted: GrantedFolders;
	/** The owner's message that a run answers. */
	readonly questionOf: (runId: RunId) => MessageId | undefined;
	readonly findingsWaiting: () => number;
	readonly commands: Tool;
	/** Beside these. */
	readonly tools: readonly Tool[];
	readonly toolServers: ToolSource;
}

/** All tools that there are. */
export function createTools(deps: AgentToolsDeps): ToolRegistry {
	const { db, clock, memory, told, skills } = deps;
	return new ToolRegistry(
		[
			memorySearchTool(told),
			memoryGetTool(told),
			memoryWriteTool({ memory, writer: memory.writer, clock }),
			memoryForgetTool(memory),
			searchChatsTool(chatSearch(db.read, deps.questionOf)),
			askOwnerTool,
			planTool,
			waitUntilTool(clock),
			waitForEventTool,
			delegateTool,
			openInboxTool(deps.findingsWaiting),
			remindTool({ reminders: deps.reminders, clock }),
			readSkillTool(skills),
			skillWriteTool(skills),
			...workspaceTools({ files: deps.workspace, granted: deps.granted, trash: systemTrash() }),
			deps.commands,
			...deps.tools,
		],
		deps.toolServers,
	);
}

export interface UnattendedTool {
	readonly name: string;
	readonly title: string;
	/** Of a tool server, by its name. */
	readonly server?: string;
}

/** What work without the owner may have. */
export function unattended(tools: ToolRegistry): UnattendedTool[] {
	return tools.names().flatMap((name) => {
		const tool = tools.find(name);
		if (!tool || tool.chatOnly) return [];
		return [{ name, title: tool.title, ...(tool.describedBy && { server: tool.describedBy.name }) }];
	});
}
