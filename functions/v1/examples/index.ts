import { data } from './data.ts'
import { description } from './description.ts'
import type { Examples } from './example.ts'
import { identity } from './identity.ts'
import { people } from './people.ts'
import { records } from './records.ts'
import { stories } from './stories.ts'

/** One real request for every endpoint, by its name. A test asks each of them. */
export const examples: Examples = {
  ...description,
  ...identity,
  ...data,
  ...records,
  ...stories,
  ...people,
}
