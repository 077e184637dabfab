/** Replaced by the build with the hash of its sources. */
declare const __BUILD__: string | undefined

/**
 * The version of this code, part of the key of everything it caches. Null in development, where nothing is cached because the code
 * may change at any time.
 */
export const build: string | null = typeof __BUILD__ === 'undefined' ? null : __BUILD__
