import * as v from 'valibot'

/** Whether a person is written to about data that did not come when they were meant to. */
export const LateEmails = v.strictObject({ isOn: v.boolean('Must be true or false.') })
export type LateEmails = v.InferOutput<typeof LateEmails>
