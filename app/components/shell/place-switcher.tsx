import { Check, ChevronsUpDown } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { choosePlace } from '#app/client/stored-place.ts'
import { personalAccount } from '#functions/shapes/place-cookie.ts'
import { Avatar } from './avatar.tsx'
import type { MainFrame, PlaceChoice } from './frame.ts'

/** Loaded lazily, only by people with many places, when they open the switcher. */
const PlaceSearch = lazy(() => import('./place-search.tsx'))

/** With more other places than this there is a search box. */
const searchAbove = 5

/** Whether the switcher has a search box: it "appears when more than 5 other places exist". */
export function hasSearch(places: PlaceChoice[], activeId: string | null): boolean {
  return places.filter((place) => place.id !== activeId).length > searchAbove
}

/** The active place; choosing another, or the personal account, reloads at /. */
export function PlaceSwitcher({ frame }: { frame: MainFrame }) {
  const { place, places, user } = frame
  const active = place?.id ?? personalAccount
  const name = place?.displayName ?? 'Personal account'
  return (
    <MenuTrigger>
      <Button className="shell-switcher">
        <Avatar name={place ? name : (user?.name ?? name)} image={place?.image ?? null} />
        <span className="sr-only">Workspace: </span>
        <span className="shell-switcher-label truncate grow">{name}</span>
        <span className="sr-only">. Switch</span>
        <ChevronsUpDown className="shell-switcher-sign" size={16} aria-hidden="true" />
      </Button>
      <Popover className="popover switcher" placement="bottom start">
        {hasSearch(places, place?.id ?? null) ? (
          <Suspense fallback={<div className="skeleton is-block" />}>
            <PlaceSearch>
              <Choices places={places} active={active} />
            </PlaceSearch>
          </Suspense>
        ) : (
          <Choices places={places} active={active} />
        )}
      </Popover>
    </MenuTrigger>
  )
}

function Choices({ places, active }: { places: PlaceChoice[]; active: string }) {
  return (
    <Menu
      className="menu"
      aria-label="Workspaces"
      onAction={(key) => choosePlace(String(key))}
      renderEmptyState={() => <p className="menu-label">No results!</p>}
    >
      <Choice id={personalAccount} name="Personal account" isActive={active === personalAccount} />
      {places.map((choice) => (
        <Choice key={choice.id} {...choice} isActive={choice.id === active} />
      ))}
    </Menu>
  )
}

function Choice({ id, name, isActive }: PlaceChoice & { isActive: boolean }) {
  return (
    <MenuItem id={id} textValue={name} className="menu-item">
      <span className="grow truncate">{name}</span>
      {isActive ? <Check size={16} aria-label="current" /> : null}
    </MenuItem>
  )
}
