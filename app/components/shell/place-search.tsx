import type { ReactNode } from 'react'
import { Autocomplete, Input, SearchField } from 'react-aria-components'

/** "A case-insensitive filter on place name." */
export function matches(name: string, text: string): boolean {
  return name.toLowerCase().includes(text.trim().toLowerCase())
}

/** The search box above the choices of the switcher, which it filters. */
export default function PlaceSearch({ children }: { children: ReactNode }) {
  return (
    <Autocomplete filter={matches}>
      <SearchField className="switcher-search" aria-label="Search places" autoFocus>
        <Input placeholder="Search places" />
      </SearchField>
      {children}
    </Autocomplete>
  )
}
