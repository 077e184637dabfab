import { createContext, useContext } from 'react'
import type { Issue } from '#functions/shapes/issue.ts'
import type { BuilderField, BuilderFunctions } from './values.ts'

/** An operator of filters, as the server lists it: what its right side is, and the types of fields it is for. */
export interface BuilderOperator {
  key: string
  takes: 'value' | 'list' | 'items' | 'pair' | 'pattern' | 'patterns' | 'truth'
  types: string[]
}

/** All that a clause needs to know: what can be asked of, with which words, and what is wrong with the question now. */
export interface Language {
  fields: BuilderField[]
  functions: BuilderFunctions
  operators: BuilderOperator[]
  /** Of the question as it was last asked; paths begin in the query. */
  issues: Issue[]
  /** The values that a field often has, the most frequent first; none where they cannot be had. */
  suggest(path: string): Promise<string[]>
}

const none: Language = {
  fields: [],
  functions: {},
  operators: [],
  issues: [],
  suggest: () => Promise.resolve([]),
}

export const LanguageContext = createContext<Language>(none)
export const useLanguage = () => useContext(LanguageContext)

/** What is wrong below a part of the query, each once. */
export function messagesAt(issues: readonly Issue[], ...path: (string | number)[]): string[] {
  const below = issues.filter((issue) => path.every((part, i) => String(issue.path[i]) === String(part)))
  return [...new Set(below.map(({ message }) => message))]
}

/** The words of an operator; its own key where none are known. */
export function operatorWords(key: string, type: string | undefined): string {
  if (type === 'date') return dateWords[key] ?? words[key] ?? key
  return words[key] ?? key
}

const words: Record<string, string> = {
  $eq: 'is',
  $ne: 'is not',
  $gt: 'is more than',
  $gte: 'is at least',
  $lt: 'is less than',
  $lte: 'is at most',
  $is: 'is exactly',
  $in: 'is one of',
  $notIn: 'is none of',
  $any: 'equals any of',
  $all: 'equals all of',
  $between: 'is between',
  $notBetween: 'is not between',
  $like: 'is like',
  $notLike: 'is not like',
  $iLike: 'is like, in any case',
  $notILike: 'is not like, in any case',
  $regexp: 'matches',
  $notRegexp: 'does not match',
  $iRegexp: 'matches, in any case',
  $notIRegexp: 'does not match, in any case',
  $overlap: 'has any of',
  $contains: 'has all of',
  $contained: 'has only',
}

const dateWords: Record<string, string> = {
  $gt: 'is after',
  $gte: 'is on or after',
  $lt: 'is before',
  $lte: 'is on or before',
}
