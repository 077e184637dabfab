import * as v from 'valibot'
import { buildNameShape } from './options.ts'

const maxTags = 20
export const longestTag = 50

/** A word, or some, to find things by. */
export const Tag = buildNameShape(longestTag)

/** Whether two tags are equal, ignoring case. */
export const isSameTag = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Distinct tags, ignoring case. Visible to everyone who sees the tagged thing. */
export const Tags = v.pipe(
  v.array(Tag, 'Must be a list of texts.'),
  v.maxLength(maxTags, `Must be at most ${maxTags} tags.`),
  v.checkItems(
    (tag, i, tags) => tags.findIndex((other) => isSameTag(other, tag)) === i,
    'Must not be there twice.',
  ),
)

/** The tags of a list with additions, without duplicates. */
export const withTags = (tags: readonly string[], additions: readonly string[]): string[] =>
  [...tags, ...additions].filter((tag, i, all) => all.findIndex((other) => isSameTag(other, tag)) === i)

/** The tags of a list without removals, ignoring case. */
export const withoutTags = (tags: readonly string[], removals: readonly string[]): string[] =>
  tags.filter((tag) => !removals.some((other) => isSameTag(other, tag)))

/** The comma-separated tags of a text. */
export const tagsIn = (text: string): string[] =>
  withTags(
    [],
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  )
