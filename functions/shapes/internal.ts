import * as v from 'valibot'
import { listOf } from './returns.ts'

/** One thing an operator wants to know. Times are ISO text; null: there is none. */
export const Fact = v.strictObject({
  id: v.string(),
  value: v.nullable(v.union([v.string(), v.number(), v.boolean()])),
})
export type Fact = v.InferOutput<typeof Fact>
export const Facts = listOf(Fact)

export const Origins = listOf(
  v.strictObject({
    id: v.string(),
    /** Whether a browser there may send its session's cookie. */
    withCredentials: v.boolean(),
  }),
)

/** What an operator's action did, how much of it is left for another call, and where that one begins. */
export const Acted = v.strictObject({
  ok: v.literal(true),
  affected: v.number(),
  left: v.number(),
  next: v.optional(v.string()),
})
export type Acted = v.InferOutput<typeof Acted>

/** `after`: the `next` of the call before. */
export const Refresh = v.optional(
  v.strictObject({
    after: v.optional(
      v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,63}(\/[\w-]{1,64})?$/, 'Must be the "next" of an answer.')),
    ),
  }),
)
export type Refresh = v.InferOutput<typeof Refresh>
