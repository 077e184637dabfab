import { useFetcher, useNavigate } from '@remix-run/react'
import { useEffect, useState } from 'react'
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Keyboard,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
  Text,
} from 'react-aria-components'
import { useSingleKeys } from '#app/client/single-keys.ts'
import type { MainFrame } from './frame.ts'
import type { Shortcut } from './shortcuts.ts'

/** What `/find` answers with. */
export interface PaletteHit {
  id: string
  to: string
  name: string
  kind: string
}

export interface PaletteProps {
  frame: MainFrame
  shortcuts: readonly Shortcut[]
  close: () => void
}

/** Screens that no link of the sidebar leads to, by who may see them. */
function screensBeside({
  isAdmin,
  isOrgAdmin,
  isSuperAdmin,
  place,
}: MainFrame): { to: string; label: string }[] {
  const inPlace = place !== null
  const mayManage = inPlace && (isOrgAdmin || isSuperAdmin)
  const offered = [
    { may: inPlace, to: '/collections/inventory', label: 'All insights' },
    { may: inPlace, to: '/types/catalog', label: 'Catalog of data types' },
    { may: inPlace, to: '/boundaries', label: 'Boundaries' },
    { may: inPlace, to: '/insights/reference', label: 'Functions and operators' },
    { may: mayManage, to: '/sources/community', label: 'Community sources' },
    { may: mayManage, to: '/org/manage/hub', label: 'Hub' },
    { may: inPlace && (isAdmin || isSuperAdmin), to: '/translations', label: 'Translations' },
    { may: mayManage, to: '/hub/usage', label: 'Usage' },
    { may: inPlace, to: '/explore', label: 'Explore' },
    { may: true, to: '/api', label: 'API' },
  ]
  return offered.filter(({ may }) => may)
}

/** What can be begun from anywhere, by who may. */
function actions({ isAdmin, isOrgAdmin, isSuperAdmin, place }: MainFrame) {
  const mayManage = isOrgAdmin || isSuperAdmin
  const offered = [
    { may: isAdmin || isSuperAdmin, to: '/sources/create', label: 'Add data' },
    { may: mayManage, to: '/insights/create', label: 'Create an insight' },
    { may: isAdmin || isSuperAdmin, to: '/collections/create', label: 'Create a collection' },
    { may: mayManage, to: '/types/create', label: 'Create a data type' },
    { may: mayManage, to: '/team', label: 'Invite someone' },
  ]
  return place ? offered.filter(({ may }) => may) : []
}

/** What bears the name that is typed: things of the place, which the server finds, screens, and what can be begun. */
function usePaletteSearch(frame: MainFrame, text: string) {
  const fetcher = useFetcher<{ found: PaletteHit[] }>()
  const { load } = fetcher
  useEffect(() => {
    if (text.trim().length < 2 || !frame.place) return
    const timer = setTimeout(() => load(`/find?search=${encodeURIComponent(text.trim())}`), 200)
    return () => clearTimeout(timer)
  }, [text, load, frame.place])
  const hits = text.trim().length < 2 ? [] : (fetcher.data?.found ?? [])
  const wanted = text.trim().toLowerCase()
  const named = <T extends { label: string }>(items: T[]) =>
    items.filter(({ label }) => label.toLowerCase().includes(wanted))
  const screens = named([...frame.top, ...frame.bottom, ...screensBeside(frame)])
  const begun = named(actions(frame))
  return { found: hits, screens, begun, state: fetcher.state }
}

/** Everything by its name: screens, what can be begun, and what the organization has. */
export default function Palette({ frame, shortcuts, close }: PaletteProps) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const { found: hits, screens, begun, state } = usePaletteSearch(frame, text)
  const isEmpty = !hits.length && !screens.length && !begun.length
  const go = (to: string) => {
    close()
    navigate(to)
  }
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(isOpen) => !isOpen && close()} isDismissable>
      <Modal className="dialog palette">
        <Dialog aria-label="Find anything">
          <Autocomplete inputValue={text} onInputChange={setText}>
            <SearchField aria-label="Find anything" autoFocus className="palette-field">
              <Input placeholder="Find a screen, a source, an insight, a page…" />
            </SearchField>
            <Menu
              className="menu palette-list"
              onAction={(key) => go(String(key))}
              renderEmptyState={() => null}
            >
              {hits.length ? (
                <MenuSection>
                  <Header className="menu-label">Here</Header>
                  {hits.map(({ id, to, name, kind }) => (
                    <MenuItem key={`${kind}${id}`} id={to} className="menu-item" textValue={name}>
                      <Text slot="label">{name}</Text>
                      <Text slot="description" className="muted">
                        {kind}
                      </Text>
                    </MenuItem>
                  ))}
                </MenuSection>
              ) : null}
              {screens.length ? (
                <MenuSection>
                  <Header className="menu-label">Go to</Header>
                  {screens.map(({ to, label }) => {
                    const keys = shortcuts.find((each) => each.to === to)?.keys
                    return (
                      <MenuItem key={to} id={to} className="menu-item" textValue={label}>
                        <Text slot="label">{label}</Text>
                        {keys ? <Keyboard className="kbd">{keys.join(' ')}</Keyboard> : null}
                      </MenuItem>
                    )
                  })}
                </MenuSection>
              ) : null}
              {begun.length ? (
                <MenuSection>
                  <Header className="menu-label">Do</Header>
                  {begun.map(({ to, label }) => (
                    <MenuItem
                      key={label}
                      id={to === '/team' ? '/team#invite' : to}
                      className="menu-item"
                      textValue={label}
                    >
                      <Text slot="label">{label}</Text>
                    </MenuItem>
                  ))}
                </MenuSection>
              ) : null}
            </Menu>
          </Autocomplete>
          <PaletteFoot isEmpty={isEmpty} state={state} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function PaletteFoot({ isEmpty, state }: { isEmpty: boolean; state: 'idle' | 'loading' | 'submitting' }) {
  const singleKeys = useSingleKeys()
  return (
    <div className="palette-foot muted">
      <p role="status">
        {isEmpty && state === 'idle' ? 'No results!' : null}
        {state === 'loading' ? 'Searching...' : null}
      </p>
      <label className="choice">
        <input
          type="checkbox"
          checked={singleKeys.count}
          onChange={(event) => singleKeys.turn(event.target.checked)}
        />
        Shortcuts of single keys
      </label>
    </div>
  )
}
