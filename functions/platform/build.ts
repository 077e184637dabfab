/** Put in by the build: what its sources hash to. */
declare const __BUILD__: string | undefined

/**
 * The version of this code: what it keeps or stores carries it. Null where it was not built: nothing is kept then, for the
 * code may change under what was kept, as it does while one edits it.
 */
export const build: string | null = typeof __BUILD__ === 'undefined' ? null : __BUILD__
