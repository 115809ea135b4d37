import type Database from 'better-sqlite3';

declare const readBrand: unique symbol;
declare const writeBrand: unique symbol;

/** A handle that may only read. Functions that take it cannot write by type. */
export type ReadDb = Database.Database & { readonly [readBrand]: true };
/** A handle inside a write transaction (`db.write(tx => …)` gives it); also reads. */
export type WriteDb = ReadDb & { readonly [writeBrand]: true };
