import { useFetcher, useLocation, useNavigate } from '@remix-run/react'
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
} from 'react-aria-components'
import { useSingleKeys } from '#app/client/single-keys.ts'
import { choosePlace } from '#app/client/stored-place.ts'
import { useTheme } from '#app/client/theme.ts'
import { matchesWords } from './match-words.ts'
import type { MainFrame } from './frame.ts'
import type { Shortcut } from './shortcuts.ts'

/** A thing found by name or opened recently. */
interface PaletteHit {
  id: string
  to: string
  name: string
  kind: string
}

/** The response of `/find`: matches by name, available commands, and recently opened things. */
export interface Findings {
  found: PaletteHit[]
  commands: { to: string; label: string; words: string }[]
  opened: PaletteHit[]
}

export interface PaletteProps {
  frame: MainFrame
  shortcuts: readonly Shortcut[]
  close: () => void
}

/** Screens without a link in the sidebar, by permission. */
function screensBeside({
  isAdmin,
  isOrgAdmin,
  isSuperAdmin,
  place,
}: MainFrame): { to: string; label: string }[] {
  const inPlace = place !== null
  const mayManage = inPlace && (isOrgAdmin || isSuperAdmin)
  const choices = [
    { may: inPlace, to: '/collections/inventory', label: 'All insights' },
    { may: inPlace, to: '/types/catalog', label: 'Catalog of data types' },
    { may: inPlace, to: '/boundaries', label: 'Boundaries' },
    { may: inPlace, to: '/tags', label: 'Tags' },
    { may: inPlace, to: '/insights/reference', label: 'Functions and operators' },
    { may: mayManage, to: '/sources/community', label: 'Community sources' },
    { may: mayManage, to: '/org/manage/hub', label: 'Hub' },
    { may: inPlace && (isAdmin || isSuperAdmin), to: '/translations', label: 'Translations' },
    { may: mayManage, to: '/hub/usage', label: 'Usage' },
    { may: inPlace, to: '/explore', label: 'Explore' },
    { may: true, to: '/api', label: 'API' },
  ]
  return choices.filter(({ may }) => may)
}

/** Loads commands and recent things when the palette opens, and matches while typing. */
function useFindings(frame: MainFrame, text: string) {
  const { pathname } = useLocation()
  const startFetcher = useFetcher<Findings>()
  const fetcher = useFetcher<Findings>()
  const [loadBegun, loadFound] = [startFetcher.load, fetcher.load]
  const hasPlace = frame.place !== null
  useEffect(() => {
    if (hasPlace) loadBegun(`/find?at=${encodeURIComponent(pathname)}`)
  }, [hasPlace, loadBegun, pathname])
  useEffect(() => {
    if (text.trim().length < 2 || !hasPlace) return
    const timer = setTimeout(() => loadFound(`/find?search=${encodeURIComponent(text.trim())}`), 200)
    return () => clearTimeout(timer)
  }, [text, loadFound, hasPlace])
  return {
    found: text.trim().length < 2 ? [] : (fetcher.data?.found ?? []),
    commands: startFetcher.data?.commands ?? [],
    opened: text.trim() ? [] : (startFetcher.data?.opened ?? []),
    state: fetcher.state === 'idle' ? startFetcher.state : fetcher.state,
  }
}

interface PaletteEntry {
  /** Its path or action: unique within the palette. */
  id: string
  label: string
  note?: string | undefined
  keys?: readonly string[] | undefined
  words?: string
}

/** The sections of the palette for a text. Filtering keeps the order. */
function usePaletteSections(frame: MainFrame, shortcuts: readonly Shortcut[], text: string) {
  const { found: hits, commands, opened, state } = useFindings(frame, text)
  const { isDark } = useTheme()
  const query = text.trim()
  const matching = (entries: PaletteEntry[]) => entries.filter((entry) => matchesWords(entry, query))
  const hit = ({ to, name, kind }: PaletteHit) => ({ id: to, label: name, note: kind })
  const screens = [...frame.top, ...frame.bottom, ...screensBeside(frame)].map(({ to, label }) => ({
    ...{ id: to, label },
    keys: shortcuts.find((each) => each.to === to)?.keys,
  }))
  const here = [
    ...commands.map(({ to, label, words }) => ({ id: to, label, words })),
    ...(frame.place?.isHub
      ? [{ id: frame.place.publicUrl, label: 'Open the hub', words: 'public site' }]
      : []),
    { id: 'theme', label: isDark ? 'Light theme' : 'Dark theme', words: 'colours night day appearance' },
    { id: '/logout', label: 'Sign out', words: 'log out leave' },
  ]
  const places = frame.places
    .filter(({ id }) => id !== frame.place?.id)
    .map(({ id, name }) => ({ id: `place ${id}`, label: name, words: 'switch organization' }))
  const sections: [string, PaletteEntry[]][] = [
    ['Opened last', opened.map(hit)],
    ['Here', hits.map(hit)],
    ['Do', matching(here)],
    ['Go to', matching(screens)],
    ['Switch to', query ? matching(places).slice(0, 10) : []],
  ]
  return { sections: sections.filter(([, entries]) => entries.length > 0), state }
}

/** The command palette: recent things, the organization's things, commands, screens, other organizations. */
export default function Palette({ frame, shortcuts, close }: PaletteProps) {
  const navigate = useNavigate()
  const { toggle } = useTheme()
  const [text, setText] = useState('')
  const { sections, state } = usePaletteSections(frame, shortcuts, text)
  const go = (id: string) => {
    close()
    if (id === 'theme') toggle()
    else if (id.startsWith('place ')) choosePlace(id.slice('place '.length))
    // The hub is another site.
    else if (/^https?:/.test(id)) window.location.assign(id)
    else navigate(id)
  }
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(isOpen) => !isOpen && close()} isDismissable>
      <Modal className="dialog palette">
        <Dialog aria-label="Find anything">
          <Autocomplete inputValue={text} onInputChange={setText}>
            <SearchField aria-label="Find anything" autoFocus className="palette-field">
              <Input placeholder="Find anything, or say what to do…" />
            </SearchField>
            <div className="palette-list" role="group" aria-label="What is offered" tabIndex={0}>
              <Menu className="menu" onAction={(key) => go(String(key))} renderEmptyState={() => null}>
                {sections.map(([title, entries]) => (
                  <MenuSection key={title}>
                    <Header className="menu-label">{title}</Header>
                    {entries.map(({ id, label, note, keys }) => (
                      <MenuItem key={id} id={id} className="menu-item" textValue={label}>
                        <span>{label}</span>
                        {note ? <span className="muted">{note}</span> : null}
                        {keys ? <Keyboard className="kbd">{keys.join(' ')}</Keyboard> : null}
                      </MenuItem>
                    ))}
                  </MenuSection>
                ))}
              </Menu>
            </div>
          </Autocomplete>
          <PaletteFoot isEmpty={sections.length === 0} state={state} />
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
