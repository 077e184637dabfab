/** Put in by the build: what the sources hash to. */
declare const __BUILD__: string | undefined

/**
 * Names the code that makes the answers; null where it was not built. Nothing is kept then, for the code may change
 * under what was kept, as it does while one edits it.
 */
export const build: string | null = typeof __BUILD__ === 'undefined' ? null : __BUILD__
