import { Option } from 'commander';
import { MailSecurity } from '../domain/outgoing.ts';
import { setMail, setSearch, setWebhook, showOutgoing, testOutgoing } from './commands/outgoing.ts';
import { type CommandRoots, wholeNumber } from './memory-commands.ts';

export function addOutgoingCommands({ group, withDoor }: CommandRoots): void {
	const outgoing = group('outgoing', 'what leaves this computer by tools: search, mail, webhooks');
	outgoing.command('show').description('what is set up').action(withDoor(showOutgoing));
	outgoing
		.command('search <provider> [address]')
		.description('searxng ADDRESS, brave (its key is asked for), or none')
		.option('--ask', 'ask before each search', false)
		.action((provider: string, address: string | undefined, options: { ask: boolean }) =>
			withDoor((context) => setSearch(context, provider, address, options), { makesProfile: true })(),
		);
	outgoing
		.command('mail <server>')
		.description('the mail account (its password is asked for), or none')
		.option('--port <port>', '465 for tls, 587 for starttls where left out', wholeNumber)
		.addOption(new Option('--security <kind>', 'none only for a server on this computer').choices(MailSecurity.options).default('tls'))
		.option('--user <name>', 'who signs in; left out where nobody has to', '')
		.option('--from <address>', 'your address')
		.action((server: string, options: Parameters<typeof setMail>[2]) =>
			withDoor((context) => setMail(context, server, options), { makesProfile: true })(),
		);
	outgoing
		.command('webhook <name>')
		.description('add one; its address is asked for, since it is a secret')
		.option('--remove', 'take it away', false)
		.action((name: string, options: { remove: boolean }) =>
			withDoor((context) => setWebhook(context, name, options), { makesProfile: true })(),
		);
	outgoing
		.command('test <what>')
		.description('really connect: search, mail, or a webhook by its name')
		.option('--send', 'also send a test message: a mail to your own address, a text to the webhook', false)
		.action((what: string, options: { send: boolean }) => withDoor((context) => testOutgoing(context, what, options))());
}
