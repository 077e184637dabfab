import * as v from 'valibot'
import { accountScopes, keyDays } from './key-scope.ts'
import { Name, listOptions } from './options.ts'
import { Time, TimeOrNull, buildListShape } from './returns.ts'

/** The number of days until a new key expires. */
const expiresInDays = v.optional(
  v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(keyDays.most)),
  keyDays.usual,
)

/** A key that acts as its person, limited by its scope. */
export const NewKey = v.strictObject({
  name: Name,
  scope: v.optional(v.picklist(accountScopes), 'account'),
  expiresInDays,
})
export type NewKey = v.InferOutput<typeof NewKey>

/** A key that writes the data of one source. */
export const NewSourceKey = v.strictObject({ name: Name, expiresInDays })
export type NewSourceKey = v.InferOutput<typeof NewSourceKey>

/** A key as its owner sees it later: name and first characters. */
export const Key = v.strictObject({
  id: v.string(),
  name: v.string(),
  prefix: v.string(),
  scope: v.picklist(['source', ...accountScopes]),
  /** Rounded to the hour. */
  lastUsedAt: TimeOrNull,
  expiresAt: Time,
  createdAt: Time,
})
export const Keys = buildListShape(Key)

/** A new key: `key` is shown once and not stored. */
export const MadeKey = v.strictObject({ ...Key.entries, key: v.string() })

export const KeyOptions = listOptions({
  id: 'text',
  name: 'text',
  prefix: 'text',
  createdAt: 'date',
  lastUsedAt: 'date',
  expiresAt: 'date',
})
