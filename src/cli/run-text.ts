import type { RestorePreview, RunDetail, RunStep, StateAt, StepDetail } from '../contract/methods/runs.ts';
import { messageText } from '../domain/message.ts';
import type { RunSummary } from '../domain/run.ts';
import { type AtWork, whyNotAtWork } from './at-work.ts';
import { dueText, when } from './context.ts';
import { marked, oneLine } from './memory-text.ts';
import { table } from './output.ts';

/** Runs in words, for the terminal. */

export function statusText({ status, kind, waitsFor, waitsUntil }: RunSummary, now: AtWork): string {
	if (status === 'running') return whyNotAtWork(now, kind) ?? status;
	if (waitsFor === undefined) return status;
	if (waitsUntil === undefined) return `${status} (${waitsFor.replaceAll('_', ' ')})`;
	const over = waitsUntil <= Date.now() ? whyNotAtWork(now, kind) : undefined;
	return `${status} (${waitsFor.replaceAll('_', ' ')} until ${dueText(waitsUntil)}${over === undefined ? '' : `: ${over}`})`;
}

export function runText(detail: RunDetail, now: AtWork): string {
	const { run, steps, breaks, plan, interrupts, children, branches, restores, error } = detail;
	const from = run.from && `${run.from.how === 'fork' ? 'Forked' : 'Restored'} from ${run.from.runId}, step ${run.from.step}.`;
	const rows = steps.flatMap((step) => [
		...breaks
			.filter((one) => one.step === step.step)
			.map(({ at, wentOnAt }) => ['', '', `— Hearth stopped${at === undefined ? '' : ` after ${when(at)}`}, went on at ${when(wentOnAt)}`]),
		[`${step.step}`, stepState(step), step.title],
	]);
	return [
		`${run.title || '(untitled)'}`,
		`${run.id}  ${run.kind}  ${statusText(run, now)}  since ${when(run.createdAt)}`,
		...(from ? [from] : []),
		...(error ? [error.message] : []),
		'',
		table([['STEP', 'STATE', 'WHAT'], ...rows]),
		...(plan ? ['', 'Plan:', ...plan.steps.map(({ id, state, text }) => `  ${id}. [${state}] ${text}`)] : []),
		...interrupts.map(({ id, detail }) => `\nWaits: ${detail.kind.replaceAll('_', ' ')}. Look at it with: hearth needs list (${id})`),
		...children.map((child) => `Delegated: ${child.id}  ${statusText(child, now)}  ${oneLine(child.title, 80)}`),
		...branches.map((branch) => `Branch: ${branch.id}  ${branch.from?.how} at step ${branch.from?.step}  ${statusText(branch, now)}`),
		...restores.map(
			({ id, place, at, undoneAt }) => `Restore: ${id}  to step ${place.step}, ${when(at)}${undoneAt === undefined ? '' : ', undone'}`,
		),
	].join('\n');
}

function stepState({ status, tries, effect }: RunStep): string {
	const words = status === 'unknown' ? 'may have happened' : status;
	return `${words}${tries > 1 ? `, ${tries} tries` : ''}${effect === 'effectful' ? ', has effects' : ''}`;
}

export function stepText({ step, input, output, key, redone, files, memory, error }: StepDetail): string {
	const took = step.startedAt !== undefined && step.finishedAt !== undefined ? `, ${step.finishedAt - step.startedAt} ms` : '';
	const tokens = step.usage ? `, ${step.usage.inputTokens} + ${step.usage.outputTokens} tokens` : '';
	return [
		`Step ${step.step}: ${step.title}`,
		`${step.kind.replaceAll('_', ' ')}, ${stepState(step)}${took}${tokens}${step.label === undefined ? '' : `, label ${step.label}`}`,
		...(key === undefined ? [] : [`Key: ${key}`]),
		...(redone === undefined ? [] : [redone]),
		...(error ? [error.message] : []),
		...(input === '' ? [] : ['', 'Input:', marked(' ', input)]),
		...(output === '' ? [] : ['', 'Output:', marked(' ', output)]),
		...files.map(({ path, change }) => `File ${change}: ${path}`),
		...memory.map(({ file, text }) => `Memory, ${file}: ${oneLine(text)}`),
	].join('\n');
}

export function stateText(state: StateAt): string {
	const { place, at, label, modelName, messages, plan, toolState, files, promptVersion, environment } = state;
	const [reply] = messages.slice(-1);
	return [
		`After step ${place.step}, ${when(at)}: ${state.status}, label ${label}`,
		...(modelName === undefined ? [] : [`Model: ${modelName}${promptVersion === undefined ? '' : `, prompt ${promptVersion}`}`]),
		`Messages before it: ${messages.length - 1}`,
		...(plan ? ['Plan:', ...plan.steps.map(({ id, state: is, text }) => `  ${id}. [${is}] ${text}`)] : []),
		...toolState.map(({ tool, key, value }) => `${tool}, ${key}: ${oneLine(JSON.stringify(value))}`),
		...files.map(({ path, bytes, hash }) => `File ${path}  ${bytes} bytes  ${hash.slice(0, 12)}`),
		...(environment.length > 0 ? [`Environment: ${environment.join(', ')}`] : []),
		...(reply ? ['', 'The reply as far as it was:', marked(' ', partsText(reply))] : []),
	].join('\n');
}

function partsText(reply: StateAt['messages'][number]): string {
	const calls = reply.parts.flatMap((part) =>
		part.type === 'tool' ? [`[${part.tool} ${oneLine(JSON.stringify(part.args), 80)}: ${part.status}]`] : [],
	);
	return [...calls, messageText(reply)].filter((line) => line !== '').join('\n');
}

/** What would be put back, what is left, and what stays whatever is chosen. */
export function previewText(
	{ place, chat, files, memory, effects }: RestorePreview,
	ticked: { chat: boolean; files: 'no' | 'safe' | 'all'; memory: boolean },
): string {
	const verbs = { put_back: 'put back', bring_back: 'bring back', remove: 'remove' } as const;
	const later = `${chat.steps} later steps and ${chat.messages} messages stay as another version`;
	return [
		`Back to after step ${place.step}:`,
		...(ticked.chat ? [`  chat: goes on from there; ${later}`] : []),
		...(ticked.files === 'no' || files.length > 0 ? [] : ['  files: nothing to put back']),
		...(ticked.files === 'no'
			? []
			: files.map(({ path, action, theirs }) =>
					theirs !== undefined && ticked.files === 'safe'
						? `  left: ${path} (${theirs})`
						: `  ${verbs[action]} ${path}${theirs === undefined ? '' : ` (${theirs})`}`,
				)),
		...(ticked.memory && memory.length === 0 ? ['  memory: nothing to take back'] : []),
		...(ticked.memory
			? memory.map(
					({ file, text, why, comesBack }) =>
						`  ${why === undefined ? (comesBack ? 'bring back to' : 'take back from') : `can’t be taken back (${why}) from`} ${file}: ${oneLine(text)}`,
				)
			: []),
		...(effects.length === 0 ? ['No side effects after it.'] : ['Side effects after it, which stay:']),
		...effects.map(({ step, title, at }) => `  step ${step}, ${when(at)}: ${title}`),
	].join('\n');
}
