/**
 * A regular expression of the rooms whose modules remember by the name of a place or a host, which is the same in every
 * test. Tests that use them get fresh ones (`vitest.config.ts` and `forget-modules.ts`).
 */
export const statefulModules = '(?:app/(?:server|routes)|functions/(?:edge|jobs|worker))\\b'
