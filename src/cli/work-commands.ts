import { Argument, InvalidArgumentError } from 'commander';
import { SPENDING_DAYS } from '../contract/methods/spending.ts';
import { terminal } from '../domain/errors.ts';
import { BUDGET_NAMES, type BudgetName, type Limit } from '../domain/spending.ts';
import { type SpendingOptions, setBudget, showBudgets, showSpending } from './commands/spending.ts';
import { pauseWork, resumeWork, showWork } from './commands/work.ts';
import { type CommandRoots, wholeNumber } from './memory-commands.ts';

interface BudgetOptions {
	readonly tokens?: number | 'none';
	readonly usd?: number | 'none';
}

export function addWorkCommands({ group, withDoor }: CommandRoots): void {
	const work = group('work', 'work that goes on by itself, and what models used: status, pause, resume, spending, budget');
	work.command('status').description('whether it is paused or held, and when the next time is due').action(withDoor(showWork));
	work.command('pause').description('Pause all: timers and workflows wait, chats go on').action(withDoor(pauseWork));
	work
		.command('resume')
		.description('take Pause all back; where no app runs, also do what is due now')
		.action(withDoor(resumeWork, { takeUpRuns: true }));
	work
		.command('spending')
		.description('what models used today, of each budget, and by day and kind before')
		.option('--days <count>', `the newest days, at most ${SPENDING_DAYS} (default 7)`, wholeNumber)
		.action((options: SpendingOptions) => withDoor((context) => showSpending(context, options))());
	work
		.command('budget')
		.addArgument(new Argument('[budget]', 'whose; unattended: all that goes on by itself').choices(BUDGET_NAMES))
		.description('the budgets of a day; with --tokens or --usd sets the limits of one')
		.option('--tokens <count>', 'tokens in a day, or none', limit)
		.option('--usd <amount>', 'US dollars in a day, or none', limit)
		.action((budget: BudgetName | undefined, { tokens, usd }: BudgetOptions) => {
			const change: Partial<Limit> = {
				...(tokens !== undefined && { tokens: tokens === 'none' ? null : tokens }),
				...(usd !== undefined && { costUsd: usd === 'none' ? null : usd }),
			};
			const sets = Object.keys(change).length > 0;
			if (sets && budget === undefined) throw terminal('invalid_input', `Name the budget: ${BUDGET_NAMES.join(', ')}.`);
			return withDoor((context) => (sets && budget ? setBudget(context, budget, change) : showBudgets(context)))();
		});
}

/** `none` takes a limit away. */
function limit(given: string): number | 'none' {
	if (given === 'none') return given;
	const number = Number(given.replaceAll(/[_,](?=\d{3})/g, ''));
	if (given.trim() !== '' && Number.isFinite(number)) return number;
	throw new InvalidArgumentError('Use a number, or none.');
}
