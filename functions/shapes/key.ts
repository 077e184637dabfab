import * as v from 'valibot'
import { Name, listOptions } from './options.ts'
import { Time, TimeOrNull, listOf } from './returns.ts'

export const NewKey = v.strictObject({ name: Name })
export type NewKey = v.InferOutput<typeof NewKey>

/** A key as its owner sees it later: by its name and its first characters. */
export const Key = v.strictObject({
  id: v.string(),
  name: v.string(),
  prefix: v.string(),
  lastUsedAt: TimeOrNull,
  createdAt: Time,
})
export const Keys = listOf(Key)

/** A key when it is made: `key` is shown this once and kept nowhere. */
export const MadeKey = v.strictObject({ ...Key.entries, key: v.string() })

export const KeyOptions = listOptions({
  id: 'text',
  name: 'text',
  prefix: 'text',
  createdAt: 'date',
  lastUsedAt: 'date',
})
