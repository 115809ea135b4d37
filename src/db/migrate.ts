/** One step of the schema. Never edited once shipped; a file and a test each (style.md, 5). */
export interface Migration {
	/** 1, 2, 3 …; `PRAGMA user_version` after it ran. */
	readonly version: number;
	readonly name: string;
	readonly sql: string;
}
