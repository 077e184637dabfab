import { ChevronsUpDown } from 'lucide-react'
import { choosePlace } from '#app/client/stored-place.ts'
import { personalAccount } from '#functions/shapes/place-cookie.ts'
import { Avatar } from './avatar.tsx'
import type { MainFrame, PlaceChoice } from './frame.ts'
import { MenuButton } from './menu-button.tsx'

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
  const choices = [{ id: personalAccount, name: 'Personal account' }, ...places]
  return (
    <MenuButton
      className="shell-switcher"
      label="Workspaces"
      placement="bottom start"
      entries={choices.map((choice) => ({
        ...{ id: choice.id, label: choice.name },
        isCurrent: choice.id === active,
      }))}
      onAction={choosePlace}
      {...(hasSearch(places, place?.id ?? null) ? { searchLabel: 'Search places' } : {})}
    >
      <Avatar name={place ? name : (user?.name ?? name)} image={place?.image ?? null} />
      <span className="sr-only">Workspace: </span>
      <span className="shell-switcher-label truncate grow">{name}</span>
      <span className="sr-only">. Switch</span>
      <ChevronsUpDown className="shell-switcher-sign" size={16} aria-hidden="true" />
    </MenuButton>
  )
}
