import type { ReactNode } from 'react'
import { Autocomplete, Input, SearchField } from 'react-aria-components'

/** "A case-insensitive filter on place name", and on the names of other things. */
export function matches(name: string, text: string): boolean {
  return name.toLowerCase().includes(text.trim().toLowerCase())
}

/** A search box above the entries of a menu, which it filters. */
export function MenuSearch({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Autocomplete filter={matches}>
      <SearchField className="menu-search" aria-label={label} autoFocus>
        <Input placeholder={label} />
      </SearchField>
      {children}
    </Autocomplete>
  )
}
