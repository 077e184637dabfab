import { Form, useSubmit } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { Option } from '../form/field.tsx'
import type { ListOffer, ListQuery } from './list-query.ts'

interface ListBarProps {
  query: ListQuery
  sorts: ListOffer['sorts']
  /** What is searched, for the search box: "Search sources". Without it there is none: the list cannot be searched. */
  searchLabel?: string
  filters?: { name: string; label: string; options: Option[] }[]
  end?: ReactNode
}

/** Search, filters and order of a list. A GET form, so the address says what is shown; choosing sends it at once. */
export function ListBar({ query, sorts, searchLabel, filters = [], end }: ListBarProps) {
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
      {searchLabel ? (
        <input
          type="search"
          name="search"
          placeholder={searchLabel}
          aria-label={searchLabel}
          defaultValue={query.search}
        />
      ) : null}
      {filters.map(({ name, label, options }) => (
        <select key={name} name={name} aria-label={label} defaultValue={query.filters[name] ?? ''}>
          <option value="">{label}: all</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      ))}
      <select name="sort" aria-label="Order" defaultValue={query.sort}>
        {Object.entries(sorts).map(([value, { label }]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <button className="button">{searchLabel ? 'Search' : 'Show'}</button>
      {end ? <div className="toolbar-end">{end}</div> : null}
    </Form>
  )
}
