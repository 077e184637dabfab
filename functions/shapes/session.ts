import * as v from 'valibot'
import { listOptions } from './options.ts'
import { Time, buildListShape } from './returns.ts'

/** A session of a person. `ipPrefix` is part of an IP, null if unknown. Never includes the token. */
export const Session = v.strictObject({
  id: v.string(),
  device: v.string(),
  ipPrefix: v.nullable(v.string()),
  createdAt: Time,
  lastSeenAt: Time,
  expiresAt: Time,
  current: v.boolean(),
})
export const Sessions = buildListShape(Session)

export const SessionOptions = listOptions({
  id: 'text',
  createdAt: 'date',
  lastSeenAt: 'date',
  expiresAt: 'date',
})
