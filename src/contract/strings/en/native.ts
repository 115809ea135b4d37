/** What the desktop shell itself says: its dialogs, and what it knows about the runtime process. */
export const native = {
	'native.opens': 'Hearth opens with {runtime}.',
	'native.alreadyOpen': 'Hearth is already open with this profile; its window was brought to the front.',
	'native.badProfile':
		'There can be no profile named “{name}”: use up to 32 small letters, digits, - or _, starting with a letter or digit.',
	'native.noFolder': 'The folder {folder} can’t be made: {problem}',
	'native.linkTitle': 'Open this address in your browser?',
	'native.mailTitle': 'Write to this address with your mail program?',
	'native.linkBody': 'It leads out of Hearth to:',
	'native.linkOpen': 'Open',
	'native.linkCopy': 'Copy the address',
	'native.exitCode': 'it ended with code {code}',
	'native.exitSignal': 'it was ended by {signal}',
	'native.exitError': 'it could not be started ({problem})',
	'native.runtimeDied': 'What happened: {reason}.',
	'native.runtimeGaveUp': 'The runtime stopped {count} times in a row, so it is no longer started by itself. The last time {reason}.',
	'native.runtimeSafe': 'Your chats and files are safe: they are kept in the profile folder.',
	'native.runtimeAction': 'Start it again. If it keeps stopping, save a diagnostics file (“npm run hearth -- doctor”) and report it.',
	'native.noNode': 'This Electron is too old for the database driver, and no Node 24 was found to run it with',
};
