import * as v from 'valibot'

/** A page to share: path and query on the place's hub, or in the workspace. */
export const NewLink = v.strictObject({
  path: v.pipe(v.string(), v.maxLength(2000)),
  onHub: v.optional(v.boolean(), true),
})
export type NewLink = v.InferOutput<typeof NewLink>

export const LinkRow = v.strictObject({ code: v.string(), url: v.string() })
