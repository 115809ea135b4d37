// The page's policy forbids code made from text, so the schema library must not even try. A script of its own, because it
// must run before the first schema is made.
globalThis.__zod_globalConfig = { jitless: true };
