import { Form, useSubmit } from '@remix-run/react'
import type { ListQuery } from '#app/components/list/list-query.ts'
import type { TranslatableNoun } from '#functions/shapes/translatable.ts'
import { nounNames } from './nouns.ts'

export interface TextFilterProps {
  query: Pick<ListQuery, 'search' | 'filters'>
  language: string
  nouns: { noun: TranslatableNoun; texts: number; missing: number; stale: number }[]
}

/** Filters the texts. A GET form, so that the URL holds the state. Choosing an option submits it. */
export function TextFilter({ query, language, nouns }: TextFilterProps) {
  const submit = useSubmit()
  const { search, filters } = query
  return (
    <Form
      method="get"
      role="search"
      className="toolbar"
      key={JSON.stringify([search, filters])}
      onChange={(event) => {
        if (event.target instanceof HTMLSelectElement) void submit(event.currentTarget, { replace: true })
      }}
    >
      <input type="hidden" name="language" value={language} />
      <input
        type="search"
        name="search"
        placeholder="Search texts"
        aria-label="Search texts"
        defaultValue={search}
      />
      <select name="state" aria-label="State" defaultValue={filters.state ?? ''}>
        <option value="">State: all</option>
        <option value="missing">Not translated</option>
        <option value="stale">Older than the original</option>
        <option value="done">Translated</option>
      </select>
      <select name="noun" aria-label="Of" defaultValue={filters.noun ?? ''}>
        <option value="">Of: all</option>
        {nouns.map(({ noun, texts, missing, stale }) => (
          <option key={noun} value={noun}>
            {nounNames[noun]} ({missing + stale} open of {texts})
          </option>
        ))}
      </select>
      <button className="button">Search</button>
    </Form>
  )
}
