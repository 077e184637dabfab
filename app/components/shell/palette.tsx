import { useFetcher, useLocation, useNavigate } from '@remix-run/react'
import { useEffect, useState } from 'react'
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Keyboard,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components'
import { useSingleKeys } from '#app/client/single-keys.ts'
import { choosePlace } from '#app/client/stored-place.ts'
import { useTheme } from '#app/client/theme.ts'
import { pickNounForm } from '#app/components/list/list-query.ts'
import { answerTo } from './palette-answer.ts'
import { matchesWords } from './match-words.ts'
import type { MainFrame } from './frame.ts'
import type { Shortcut } from './shortcuts.ts'

interface PaletteCommand {
  to: string
  label: string
  words: string
}

/** A thing opened recently. */
export interface PaletteHit {
  id: string
  to: string
  name: string
  kind: string
}

/** The response of `/find`: matches by name with the commands for them, available commands and screens, recently opened things. */
export interface Findings {
  found: (PaletteHit & { commands: PaletteCommand[] })[]
  /** Whether the text begins with a verb, which the commands of the matches are then for. */
  isCommand: boolean
  commands: PaletteCommand[]
  screens: PaletteCommand[]
  opened: PaletteHit[]
  /** The search did not answer. */
  isFailed: boolean
}

export interface PaletteProps {
  frame: MainFrame
  shortcuts: readonly Shortcut[]
  close: () => void
}

/** Loads commands, screens and recent things when the palette opens, and matches while typing. */
function useFindings(text: string) {
  const { pathname } = useLocation()
  const startFetcher = useFetcher<Findings>()
  const fetcher = useFetcher<Findings & { search: string }>()
  const [loadBegun, loadFound] = [startFetcher.load, fetcher.load]
  const query = text.trim()
  const isSearch = query.length >= 2
  useEffect(() => {
    loadBegun(`/find?at=${encodeURIComponent(pathname)}`)
  }, [loadBegun, pathname])
  useEffect(() => {
    if (!isSearch) return
    const timer = setTimeout(() => loadFound(`/find?search=${encodeURIComponent(query)}`), 200)
    return () => clearTimeout(timer)
  }, [query, isSearch, loadFound])
  const startData = startFetcher.data
  const answer = answerTo(text, fetcher.data)
  const isWaiting = fetcher.state !== 'idle' || answer === undefined
  return {
    found: isSearch ? (answer?.found ?? []) : [],
    isCommand: isSearch && answer?.isCommand === true,
    commands: startData?.commands ?? [],
    screens: startData?.screens ?? [],
    opened: query ? [] : (startData?.opened ?? []),
    isFailed: (isSearch ? answer : startData)?.isFailed === true,
    isLoading: isSearch ? isWaiting : startFetcher.state !== 'idle',
  }
}

interface PaletteEntry {
  /** Unique within the palette. */
  id: string
  /** The path that it opens; without one the id is an action. */
  to?: string
  label: string
  note?: string | undefined
  keys?: readonly string[] | undefined
  words?: string
}

/** The sections of the palette for a text. Filtering keeps the order. */
function usePaletteSections(frame: MainFrame, shortcuts: readonly Shortcut[], text: string) {
  const {
    found: hits,
    isCommand,
    commands,
    screens: beside,
    opened: recentThings,
    ...state
  } = useFindings(text)
  const { isDark } = useTheme()
  const query = text.trim()
  const matching = (entries: PaletteEntry[]) => entries.filter((entry) => matchesWords(entry, query))
  const hit = ({ id, to, name, kind }: PaletteHit) => ({ id, to, label: name, note: kind })
  const screens = [...frame.top, ...frame.bottom, ...beside].map((link) => ({
    ...{ id: `screen ${link.to}`, to: link.to, label: link.label },
    words: 'words' in link ? link.words : '',
    keys: shortcuts.find((each) => each.to === link.to)?.keys,
  }))
  const here = [
    ...commands.map(({ to, label, words }) => ({ id: `do ${to}`, to, label, words })),
    ...(frame.place?.isHub
      ? [{ id: 'hub', to: frame.place.publicUrl, label: 'Open the hub', words: 'public site' }]
      : []),
    {
      id: 'theme',
      label: isDark ? 'Light theme' : 'Dark theme',
      words: 'colours night day appearance switch',
    },
    { id: 'leave', to: '/logout', label: 'Sign out', words: 'log out leave' },
  ]
  const places = frame.places
    .filter(({ id }) => id !== frame.place?.id)
    .map(({ id, name }) => ({ id: `place ${id}`, label: name, words: 'switch organization' }))
  const hitCommands = hits.flatMap(({ id, name, commands: own }) =>
    own.map(({ to, label }): PaletteEntry => ({ id: `${id} ${label}`, to, label, note: name })),
  )
  const things = { title: 'Here', entries: hits.map(hit) }
  const sections: PaletteSection[] = [
    { title: 'Opened last', entries: recentThings.map(hit) },
    ...(isCommand ? [{ title: 'Do with what is here', entries: hitCommands }, things] : [things]),
    { title: `With “${hits[0]?.name}”`, entries: isCommand ? [] : hitCommands.map(withoutNote) },
    { title: 'Do', entries: matching(here) },
    { title: 'Go to', entries: matching(screens) },
    { title: 'Switch to', entries: query ? matching(places).slice(0, 10) : [] },
  ]
  return { sections: sections.filter(({ entries }) => entries.length > 0), ...state }
}

const withoutNote = ({ note: _note, ...entry }: PaletteEntry): PaletteEntry => entry

interface PaletteSection {
  title: string
  entries: PaletteEntry[]
}

/** The role of the field. The list that it controls, and the active option in it, are named by Autocomplete. */
const combobox = { role: 'combobox', 'aria-haspopup': 'listbox' } as const

/** The command palette: recent things, the organization's things, commands, screens, other organizations. */
export default function Palette({ frame, shortcuts, close }: PaletteProps) {
  const navigate = useNavigate()
  const { toggle } = useTheme()
  const [text, setText] = useState('')
  const { sections, isFailed, isLoading } = usePaletteSections(frame, shortcuts, text)
  const entries = sections.flatMap((section) => section.entries)
  const activateEntry = (id: string) => {
    close()
    const to = entries.find((entry) => entry.id === id)?.to
    if (id === 'theme') toggle()
    else if (to === undefined) choosePlace(id.slice('place '.length))
    // The hub is another site.
    else if (/^https?:/.test(to)) window.location.assign(to)
    else navigate(to)
  }
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(isOpen) => !isOpen && close()} isDismissable>
      <Modal className="dialog palette">
        <Dialog aria-label="Find anything">
          <Autocomplete inputValue={text} onInputChange={setText}>
            <SearchField aria-label="Find anything" autoFocus className="palette-field">
              <Input
                {...combobox}
                aria-expanded={entries.length > 0}
                placeholder="Find anything, or say what to do…"
              />
            </SearchField>
            <div className="palette-list" role="group" aria-label="Results" tabIndex={0}>
              <ListBox
                className="menu"
                aria-label="What is offered"
                onAction={(key) => activateEntry(String(key))}
              >
                {sections.map(({ title, entries: some }) => (
                  <ListBoxSection key={title} id={`section ${title}`}>
                    <Header className="menu-label">{title}</Header>
                    {some.map(({ id, label, note, keys }) => (
                      <ListBoxItem key={id} id={id} className="menu-item" textValue={label}>
                        <span>{label}</span>
                        {note ? <span className="muted">{note}</span> : null}
                        {keys ? <Keyboard className="kbd">{keys.join(' ')}</Keyboard> : null}
                      </ListBoxItem>
                    ))}
                  </ListBoxSection>
                ))}
              </ListBox>
            </div>
          </Autocomplete>
          <PaletteFoot count={entries.length} text={text.trim()} isFailed={isFailed} isLoading={isLoading} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

interface PaletteFootProps {
  count: number
  text: string
  isFailed: boolean
  isLoading: boolean
}

/** What the search does or found, for screen readers too, and the switch of the shortcuts. */
function PaletteFoot(props: PaletteFootProps) {
  const singleKeys = useSingleKeys()
  return (
    <div className="palette-foot muted">
      <p role="status">{statusText(props)}</p>
      <label className="choice">
        <input
          type="checkbox"
          checked={singleKeys.count}
          onChange={(event) => singleKeys.setEnabled(event.target.checked)}
        />
        Shortcuts of single keys
      </label>
    </div>
  )
}

function statusText({ count, text, isFailed, isLoading }: PaletteFootProps): string {
  if (isLoading) return 'Searching...'
  if (isFailed) return 'The search does not answer. Change a letter to try again.'
  if (count === 0) return 'No results!'
  return text === '' ? '' : `${count} ${pickNounForm(count, 'results')}`
}
