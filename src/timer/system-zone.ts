/**
 * The zone that the system is set to now, an IANA name. A process keeps what it read at its start until its variable TZ is touched; where that is
 * not set, taking it away changes nothing but that.
 */
export function systemZone(): string {
	if (process.env.TZ === undefined) delete process.env.TZ;
	return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
