/** What models used, and what they may use in a day. */
export const spending = {
	'settings.spending': 'Spending',
	'command.settings_spending': 'Settings: Spending',

	'spending.lead':
		'What models used, by the kind of work, and what they may use in a day. A day ends at midnight on this machine’s clock. A limit is looked at before each call of a model: what is at work then goes beyond it by one call at most.',
	'spending.today': 'Today',
	'spending.todayLead':
		'Looks, tasks and workflows wait for the next day when theirs is used up; nothing of them is lost. A chat says so instead of replying. A workflow that a task starts counts as a workflow; what work hands on to others counts with it.',
	'spending.kind':
		'{kind, select, unattended {All that goes on by itself} chat {Chats} heartbeat {Looks at sources} task {Tasks} memory {Memory search} other {Workflows}}',
	'spending.kindHint':
		'{kind, select, unattended {Looks, tasks and workflows together} chat {Your own conversations, and what you try out in Settings} heartbeat {Background work} task {Scheduled and triggered ones, and their test runs} other {What their steps ask of models}}',
	'spending.tokens': '{count, plural, one {one token} other {{count, number} tokens}}',
	'spending.tokensOf': '{count, number} of {limit, number} tokens',
	'spending.costOf': '{cost} of {limit}',
	'spending.nothing': 'Nothing yet',
	'spending.unpriced': '{count, plural, one {cost of one token} other {cost of {count, number} tokens}} not known',
	'spending.usedUp': 'Used up until {at}',
	'spending.limitTokens': '{kind}: tokens in a day',
	'spending.limitCost': '{kind}: US dollars in a day',
	'spending.colTokens': 'Tokens a day',
	'spending.colCost': 'US dollars a day',
	'spending.barTokens': '{kind}: tokens of today, of the limit',
	'spending.barCost': '{kind}: cost of today, of the limit',
	'spending.costBlind':
		'A limit in dollars sees only models with a price. {count, number} tokens of today went through models elsewhere that have none: enter it in Settings, Models, or set a limit in tokens.',
	'spending.estimated': '{count, number} tokens of today were not counted by their provider; they are estimated by length.',

	'spending.history': 'By day',
	'spending.span': 'How far back',
	'spending.spanDays': '{count, plural, one {The last day} other {The last # days}}',
	'spending.measure': 'Shown in the chart',
	'spending.measureTokens': 'Tokens',
	'spending.measureCost': 'Known cost',
	'spending.chart': 'Bars of each day from {from} to {to}, by kind of work; the table below has the same figures.',
	'spending.most': '{count, plural, one {Most in a day} other {Most in # days, a bar each}}: {most}',
	'spending.historyNone': 'Nothing was used in these days.',
	'spending.kept': 'Kept for {days, number} days.',
	'spending.unknownSign': 'A “?” is the cost of models without a price: it is not known.',
	'spending.day': 'Day',
	'spending.total': 'All',
	'spending.costUnknown': 'cost not known',
	'spending.costPartly': '{cost}, and some not known',
	'spending.more': 'Show more days',

	'spending.tasksHeld':
		'{budget, select, task {The budget of the day for tasks is used up.} other {The budget of the day for all that goes on by itself is used up.}} Tasks wait until {at}; reminders come.',
	'compose.budgetUsed':
		'The budget of the day for chats is used up ({used}). A message you send now is kept, but not replied to before {at}.',
	'compose.budgetRaise': 'Raise it',
};
