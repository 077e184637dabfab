import { Form, Link, useLoaderData, type ClientLoaderFunctionArgs } from '@remix-run/react'
import type { ReactNode } from 'react'
import { toSearchText } from '#app/components/shell/palette-answer.ts'
import { matchesWords } from '#app/components/shell/match-words.ts'
import { Screen } from '#app/components/shell/screen.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { useRoot } from '#app/root.tsx'
import { findScreen } from './find.server.ts'

export const loader = findScreen

/** After a failure nothing is found, the palette says so, and the screen behind it stays. */
export async function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs) {
  try {
    return await serverLoader<typeof loader>()
  } catch (thrown) {
    if (request.signal.aborted) throw thrown
    const search = toSearchText(new URL(request.url).searchParams.get('search') ?? '')
    return { search, found: [], commands: [], screens: [], opened: [], isCommand: false, isFailed: true }
  }
}

export const meta = placeTitle('Find anything')

/** The command palette as a page, for browsers without scripts and for links. */
export default function Find() {
  const {
    search,
    found: hits,
    commands,
    screens: beside,
    opened: recentThings,
  } = useLoaderData<typeof loader>()
  const frame = useRoot()?.main
  const matchingCommands = commands.filter((command) => matchesWords(command, search))
  const screens = [...(frame?.top ?? []), ...(frame?.bottom ?? []), ...beside].filter((link) =>
    matchesWords(link, search),
  )
  const places =
    search === '' ? [] : (frame?.places ?? []).filter(({ name }) => matchesWords({ label: name }, search))
  const isNothing = !hits.length && !matchingCommands.length && !screens.length && !places.length
  return (
    <Screen isNarrow isStack title="Find anything">
      <Form method="get" role="search" className="toolbar">
        <input
          type="search"
          name="search"
          defaultValue={search}
          key={search}
          aria-label="Find a screen, a source, an insight, a page, or something to do"
        />
        <button className="button">Find</button>
      </Form>
      {isNothing ? <p role="status">No results!</p> : null}
      <Hits title="Opened last" hits={recentThings} />
      <Hits title="Found" hits={hits} />
      {hits.map(({ id, name, commands: own }) => (
        <Hits
          key={id}
          title={`With “${name}”`}
          hits={own.map(({ label, to }) => ({ id: label, name: label, to }))}
        />
      ))}
      <Hits title="Do" hits={matchingCommands.map(({ label, to }) => ({ name: label, to }))} />
      <Hits title="Go to" hits={screens.map(({ label, to }) => ({ name: label, to }))} />
      {places.length ? (
        <Section title="Switch to">
          <Form method="post" action="/switch" className="row">
            {places.map(({ id, name }) => (
              <button key={id} className="button" name="placeId" value={id}>
                {name}
              </button>
            ))}
          </Form>
        </Section>
      ) : null}
    </Screen>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="stack is-tight" aria-label={title}>
      <h2 className="section-title">{title}</h2>
      {children}
    </section>
  )
}

interface HitsProps {
  title: string
  hits: { id?: string; name: string; to: string; kind?: string }[]
}

function Hits({ title, hits }: HitsProps) {
  return hits.length ? (
    <Section title={title}>
      <ul className="found-list">
        {hits.map(({ id, to, name, kind }) => (
          <li key={id ?? to}>
            <Link to={to}>{name}</Link> {kind ? <span className="muted">{kind}</span> : null}
          </li>
        ))}
      </ul>
    </Section>
  ) : null
}
