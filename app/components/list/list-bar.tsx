import { Form, useSubmit } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { Option } from '../form/field.tsx'
import type { ListOffer, ListQuery } from './list-query.ts'

/** Options by filter. */
export type ListChoices = Readonly<Record<string, readonly Option[]>>

interface ListBarProps {
  offer: ListOffer
  query: ListQuery
  /** The label of the search box: "Search sources"; null: no search. */
  searchLabel: string | null
  /** Options by filter if the offer has none; a filter without options is hidden. */
  choices?: ListChoices
  end?: ReactNode
}

/** Search, filters and order of a list. A GET form, so the state is in the URL; a choice submits at once. */
export function ListBar({ offer, query, searchLabel, choices = {}, end }: ListBarProps) {
  const submit = useSubmit()
  return (
    <Form
      method="get"
      role="search"
      className="toolbar"
      key={JSON.stringify([query.search, query.sort, query.filters])}
      onChange={(event) => {
        if (event.target instanceof HTMLSelectElement) void submit(event.currentTarget, { replace: true })
      }}
    >
      {searchLabel ? <SearchInput label={searchLabel} query={query} /> : null}
      {Object.entries(offer.filters ?? {}).map(([name, { label, options = choices[name] ?? [] }]) =>
        label && options.length > 0 ? (
          <select key={name} name={name} aria-label={label} defaultValue={query.filters[name] ?? ''}>
            <option value="">{label}: all</option>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        ) : null,
      )}
      <SortSelect {...{ offer, query }} />
      <button className="button">{searchLabel ? 'Search' : 'Show'}</button>
      {end ? <div className="toolbar-end">{end}</div> : null}
    </Form>
  )
}

/** The search box of a list, for the form around it. */
export function SearchInput({ label, query }: { label: string } & Pick<ListBarProps, 'query'>) {
  return (
    <input type="search" name="search" placeholder={label} aria-label={label} defaultValue={query.search} />
  )
}

/** The choice of a list's order, for the form around it. */
export function SortSelect({ offer, query }: Pick<ListBarProps, 'offer' | 'query'>) {
  return (
    <select name="sort" aria-label="Order" defaultValue={query.sort}>
      {Object.entries(offer.sorts).map(([value, { label }]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  )
}
