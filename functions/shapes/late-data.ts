import * as v from 'valibot'

/** Whether a person gets emails about overdue data. */
export const LateEmails = v.strictObject({ isOn: v.boolean('Must be true or false.') })
export type LateEmails = v.InferOutput<typeof LateEmails>
