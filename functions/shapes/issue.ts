/**
 * One thing that is wrong with what was sent. `path` is where, in the sender's own words (`[]` = the whole of it);
 * `validator` names the rule of the data type that failed, absent when the shape itself is wrong.
 */
export interface Issue {
  path: (string | number)[]
  value?: unknown
  message: string
  validator?: string
}
