/** Work that goes on by itself: Pause all, active hours, budgets that are used up. */
export const work = {
	'work.pauseAll': 'Pause all',
	'work.resume': 'Resume',
	'work.resumeAll': 'Resume background work',
	'work.pauseAllLong': 'Pause all background work',
	'work.paused': 'Paused',
	'work.pausedSince': 'Background work is paused since {at, date, short} {at, time, short}. Chats go on.',
	'work.restoredFrom':
		'This profile was restored from a back-up of {at, date, short} {at, time, short}, so nothing runs by itself yet: it would run here too what the profile it is of runs. Look, then resume.',
	'work.outsideHours': 'From {at, time, short}',
	'work.outsideHoursLong': 'Background work waits for its hours: it goes on at {at, time, short}. Chats go on.',
	'work.overBudget':
		'{budget, select, heartbeat {Budget for looks used} task {Budget for tasks used} workflow {Budget for workflows used} other {Budget used}}',
	'work.overBudgetLong':
		'{budget, select, heartbeat {Looks at sources have} task {Tasks have} workflow {Workflows have} other {Background work has}} used what may be used in a day. Held until {at, time, short}; chats go on.',
	'work.pausedToast': 'All background work is paused. Chats go on.',
	'work.resumedToast': 'Background work goes on.',

	'general.hours': 'Active hours',
	'general.hoursHint': 'Outside of them it waits; what became due is done when they begin',
	'general.hoursFrom': 'From',
	'general.hoursTo': 'To',
	'general.hoursSame': 'The two times must differ.',
	'general.costBad': 'A number above 0, such as 2.50, or nothing.',
	'general.noLimit': 'None',
};
