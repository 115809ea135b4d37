import { pino } from 'pino';
import { safeFields } from './log-fields.ts';
import { RotatingFile } from './rotating-file.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/**
 * Structured log. `event` is a fixed name such as `run_resumed`, never a sentence built from data. Fields are numbers, ids,
 * names and errors; message text and secrets never belong there, and what slips in is removed (S3, see `log-fields.ts`).
 */
export interface Logger {
	debug(event: string, fields?: Record<string, unknown>): void;
	info(event: string, fields?: Record<string, unknown>): void;
	warn(event: string, fields?: Record<string, unknown>): void;
	error(event: string, fields?: Record<string, unknown>): void;
	/** A logger that adds these fields to each line. */
	child(fields: Record<string, unknown>): Logger;
}

export interface LoggerOptions {
	/** Created where missing. Holds `hearth-YYYY-MM-DD.log` (UTC days), then `….1.log` and so on when a file is full. */
	folder: string;
	level: LogLevel;
	/** Days that files are kept. */
	days: number;
	/** Largest file in bytes; 5 MB unless told. */
	maxBytes?: number;
	now?: () => number;
	/** Of each line as it is written: takes known secrets out of it (S3). */
	redact?: (line: string) => string;
}

export interface FileLogger extends Logger {
	/** Changes how many days files are kept, from the next rotation on. */
	keepDays(days: number): void;
	close(): void;
}

/** Writes each line before it returns, so that the last words before a crash are kept. A full disk drops lines, never the app. */
export function createLogger(options: LoggerOptions): FileLogger {
	const file = new RotatingFile({ maxBytes: 5_000_000, now: Date.now, ...options });
	const { redact } = options;
	const target = redact ? { write: (line: string) => file.write(redact(line)) } : file;
	const root = pino(
		{
			level: options.level,
			base: null,
			messageKey: 'event',
			timestamp: () => `,"time":"${new Date((options.now ?? Date.now)()).toISOString()}"`,
			formatters: { level: (label) => ({ level: label }) },
		},
		target,
	);
	return { ...fromPino(root), keepDays: (days) => file.keepDays(days), close: () => file.close() };
}

function fromPino(target: pino.Logger): Logger {
	const at = (level: LogLevel) => (event: string, fields?: Record<string, unknown>) => {
		if (target.isLevelEnabled(level)) target[level](fields ? safeFields(fields) : {}, event);
	};
	return {
		debug: at('debug'),
		info: at('info'),
		warn: at('warn'),
		error: at('error'),
		child: (fields) => fromPino(target.child(safeFields(fields))),
	};
}

export const silentLogger: Logger = {
	debug: () => undefined,
	info: () => undefined,
	warn: () => undefined,
	error: () => undefined,
	child: () => silentLogger,
};
