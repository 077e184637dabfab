import * as v from 'valibot'
import { plainName } from './options.ts'

export const mostTags = 20
export const longestTag = 50

/** A word, or some, to find things by. */
export const Tag = plainName(longestTag)

/** Whether two tags are the same: capitals do not tell them apart. */
export const sameTag = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Words to find a thing by, none of them twice, whatever its case. Whoever sees the thing sees them. */
export const Tags = v.pipe(
  v.array(Tag, 'Must be a list of texts.'),
  v.maxLength(mostTags, `Must be at most ${mostTags} tags.`),
  v.checkItems(
    (tag, i, tags) => tags.findIndex((other) => sameTag(other, tag)) === i,
    'Must not be there twice.',
  ),
)

/** The tags of a list with some of them added, each once. */
export const withTags = (tags: readonly string[], additions: readonly string[]): string[] =>
  [...tags, ...additions].filter((tag, i, all) => all.findIndex((other) => sameTag(other, tag)) === i)

/** The tags of a list without some of them, whatever their case. */
export const withoutTags = (tags: readonly string[], removals: readonly string[]): string[] =>
  tags.filter((tag) => !removals.some((other) => sameTag(other, tag)))

/** The tags of a text with commas between them. */
export const tagsIn = (text: string): string[] =>
  withTags(
    [],
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  )
