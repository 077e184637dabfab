/** What a key opens at most; it never opens more than its person may do. */
export const keyScopes = {
  read: 'Reads what I may see, and changes nothing',
  account: 'Does all that I may do, but for internals',
  internals: 'Does all that I may do, internals included',
  source: 'Writes the data of one source',
} as const

export type KeyScope = keyof typeof keyScopes

/** The scopes of keys that act as their person; the others are of a source. */
export const accountScopes = ['read', 'account', 'internals'] as const satisfies KeyScope[]
export type AccountScope = (typeof accountScopes)[number]

/** How long a key works unless something else is chosen, and at most; days. */
export const keyDays = { usual: 365, most: 730 }
