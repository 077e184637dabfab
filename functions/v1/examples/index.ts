import { data } from './data.ts'
import { description } from './description.ts'
import type { Examples } from './example.ts'
import { identity } from './identity.ts'
import { media } from './media.ts'
import { operator } from './operator.ts'
import { people } from './people.ts'
import { records } from './records.ts'
import { stories } from './stories.ts'
import { team } from './team.ts'
import { work } from './work.ts'

/** One real request for every endpoint, by name; a test sends each of them. */
export const examples: Examples = {
  ...description,
  ...identity,
  ...data,
  ...records,
  ...stories,
  ...people,
  ...team,
  ...media,
  ...work,
  ...operator,
}
