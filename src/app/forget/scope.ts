import { FORGOTTEN } from '../../db/needle.ts';
import { ContextSourceKind } from '../../domain/context-source.ts';
import { ERROR_CODES } from '../../domain/errors.ts';
import { FindingKind, TickOutcome, Urgency, WatchedHealth, WatchedPlace } from '../../domain/heartbeat.ts';
import { LABELS } from '../../domain/label.ts';
import { Author, ChangeKind, EntryKind, EntryState, SourceKind } from '../../domain/memory.ts';
import { MessageStatus } from '../../domain/message.ts';
import { ProposalOperation, ProposalStatus } from '../../domain/proposal.ts';
import { InterruptKind, RunKind, RunStatus } from '../../domain/run.ts';
import { Timing } from '../../domain/schedule.ts';
import { MissedPolicy, MissedWhy, OccurrenceState, OverlapPolicy, TaskResult, TaskWhen, TaskWork, Trigger } from '../../domain/task.ts';
import { EffectClass, ToolCallStatus } from '../../domain/tool.ts';
import { TICK_RUN_OUTCOMES } from '../../heartbeat/tick-store.ts';
import { TASK_STATUS } from '../../tasks/task-store.ts';

/** How far a text can be looked for. Shorter, or as common as a single everyday word, it would be found in everything. */
export type ForgetScope = 'everywhere' | 'entry';

const SHORTEST = 4;
/** Times, sizes and parts of ids are digits too. */
const SHORTEST_NUMBER = 6;

/** Words that stand for something in what Hearth itself stores: replaced, its own rows could not be read any more. */
const OWN_WORDS = new Set<string>([
	...[LABELS, ERROR_CODES, Author.options, ChangeKind.options, EntryKind.options, EntryState.options, SourceKind.options].flat(),
	...[MessageStatus.options, ProposalStatus.options, InterruptKind.options, RunStatus.options].flat(),
	...[EffectClass.options, ToolCallStatus.options].flat(),
	...[
		'assistant',
		'user',
		'text',
		'reasoning',
		'attachment',
		'tool',
		'notice',
		'memory',
		'approve',
		'reject',
		'reply',
		'happened',
		'skip',
		'stop',
	],
	...[ContextSourceKind.options, FindingKind.options, Urgency.options, TickOutcome.options, TICK_RUN_OUTCOMES, RunKind.options].flat(),
	...WatchedPlace.options.map(({ shape }) => shape.kind.value),
	...[WatchedHealth.options.map(({ shape }) => shape.kind.value), ProposalOperation.options.map(({ shape }) => shape.kind.value)].flat(),
	...[
		'github',
		'gitea',
		'tls',
		'starttls',
		'none',
		'unread',
		'looking',
		'read',
		'schedule',
		'work',
		'noted',
		'reminder_set',
		'apply',
		'unreadable',
	],
	...[TASK_STATUS, OccurrenceState.options, MissedWhy.options, OverlapPolicy.options].flat(),
	...[Trigger, Timing, MissedPolicy, TaskResult, TaskWork, TaskWhen].flatMap(({ options }) => options.map(({ shape }) => shape.kind.value)),
	...['each', 'one', 'trigger', 'moved', 'twice', 'forward', 'back'],
	...['number', 'string', 'true', 'false', 'null', 'done', 'given_up', 'intended', 'auto', 'chat', 'builtin', 'responder'],
]);

/** Everyday words of English; a single word of another language counts as common where it is short. */
const COMMON_WORDS = new Set(
	`about above after again against almost alone along already also although always among another answer anything around because been before
	began begin behind being believe below best better between both bring brought business call called came cannot change children city clear
	close cold come could country course days different does doing door down during each early earth easy enough even evening ever every
	everything example eyes face fact family father feel feet felt field find fine fire first five follow food foot form found four free friend
	from full gave general girl give given good great group grow half hand happy hard have head hear heard heart help here high hold home hope
	hour house however hundred idea important inside into just keep kind knew know known land large last late later learn leave left less letter
	life light like line list little live long look lost love made make many matter maybe mean mean meeting might milk mind minute moment money
	month more morning most mother move much must name near need never next night nothing notice often once only open order other others over
	page part party pass people perhaps person picture piece place plan play please point possible power present problem question quick quite
	rather read ready real really reason remember rest right river road room round said same school second seem seen sentence several shall
	short should show side since small some something sometimes soon sound stand start state still stood story street such sure table take talk
	tell than thank thanks that their them then there these they thing things think this those though thought thousand three through time today
	together told tomorrow took toward town tree true turn under until upon used very voice wait walk want warm watch water week well went were
	what when where whether which while white whole whose will wind with without woman women word work world would write wrote year yesterday
	young your`.split(/\s+/),
);

export function scopeOf(text: string): ForgetScope {
	const said = text.normalize('NFC').trim().toLowerCase();
	// What stands in the place of a forgotten text is no text to look for.
	if (FORGOTTEN.includes(said)) return 'entry';
	const words = said.replaceAll(FORGOTTEN, ' ').trim().split(/\s+/);
	const [word = ''] = words;
	const letters = words.join('').match(/[\p{L}\p{N}]/gu) ?? [];
	if (letters.length < SHORTEST) return 'entry';
	if (words.length > 1) return 'everywhere';
	const bare = word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
	if (/^\d+$/.test(bare) && bare.length < SHORTEST_NUMBER) return 'entry';
	return COMMON_WORDS.has(bare) || OWN_WORDS.has(bare) ? 'entry' : 'everywhere';
}
