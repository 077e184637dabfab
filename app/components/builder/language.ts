import { createContext, useContext } from 'react'
import type { Issue } from '#functions/shapes/issue.ts'
import type { BuilderField, BuilderFunctions } from './values.ts'

/** A filter operator as returned by the server: its operand, and the field types it supports. */
export interface BuilderOperator {
  key: string
  takes: 'value' | 'list' | 'items' | 'pair' | 'pattern' | 'patterns' | 'truth'
  types: string[]
}

/** The context of all clauses: fields, functions, operators, and current issues. */
export interface Language {
  fields: BuilderField[]
  functions: BuilderFunctions
  operators: BuilderOperator[]
  /** Issues of the last preview; paths start within the query. */
  issues: Issue[]
  /** Frequent values of a field, most frequent first; empty if unavailable. */
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

/** The distinct messages of issues below a part of the query. */
export function messagesAt(issues: readonly Issue[], ...path: (string | number)[]): string[] {
  const below = issues.filter((issue) => path.every((part, i) => String(issue.path[i]) === String(part)))
  return [...new Set(below.map(({ message }) => message))]
}

/** The label of an operator; its key if unknown. */
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
