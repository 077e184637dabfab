import type { LinksFunction, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Outlet, useLoaderData, useLocation, useMatches } from '@remix-run/react'
import { useEffect } from 'react'
import { setShown } from '#app/client/drafts/client-handlers.ts'
import { Writer } from '#app/client/drafts/use-draft.ts'
import { useWriter } from '#app/client/drafts/use-writer.ts'
import { restorePlace } from '#app/client/stored-place.ts'
import { useTimeZone } from '#app/client/use-time-zone.ts'
import { DateLocale, TimeZone } from '#app/components/list/time-zone.ts'
import { ErrorBody, MainError, useFailed } from '#app/components/shell/main-error.tsx'
import { RefusedEdit } from '#app/components/shell/page-head.tsx'
import { Shell } from '#app/components/shell/shell.tsx'
import { StepUpDialog } from './step-up-dialog.tsx'
import { useRoot } from '#app/root.tsx'
import { requireMode } from '#app/server/mode.server.ts'
import { findRefusalMessage } from '#app/server/require-permission.server.ts'
import workspaceStyle from '#app/styles/workspace.css?url'

/** The frame of the workspace's screens. On hubs their paths are 404. */
export async function loader(args: LoaderFunctionArgs) {
  requireMode('main', args)
  return { refused: await findRefusalMessage(args) }
}

export { revalidateFrame as shouldRevalidate } from '#app/client/drafts/client-handlers.ts'

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: workspaceStyle }]

export default function MainMode() {
  const frame = useRoot()?.main
  const timeZone = useTimeZone(frame?.place?.timeZone, frame?.reader.timeZone)
  const writer = useWriter(frame?.user?.id, frame?.place?.id)
  const { refused: refusalMessage } = useLoaderData<typeof loader>()
  useShown()
  useStoredPlace(frame?.user ? (frame.place?.id ?? null) : undefined)
  return frame ? (
    <TimeZone.Provider value={timeZone}>
      <DateLocale.Provider value={frame.reader.locale}>
        <Writer.Provider value={writer}>
          <Shell frame={frame}>
            <RefusedEdit.Provider value={refusalMessage}>
              <Outlet />
            </RefusedEdit.Provider>
          </Shell>
          <StepUpDialog />
        </Writer.Provider>
      </DateLocale.Provider>
    </TimeZone.Provider>
  ) : null
}

/** Remembers the data of the screen, which is kept if reloading fails. */
function useShown() {
  const data = useMatches().at(-1)?.data
  const { pathname, search } = useLocation()
  useEffect(() => setShown(pathname + search, data), [pathname, search, data])
}

/** Reloads at / if the browser stores another place than the server. Undefined: signed out. */
function useStoredPlace(activeId: string | null | undefined) {
  useEffect(() => {
    if (activeId !== undefined && restorePlace(activeId)) window.location.replace('/')
  }, [activeId])
}

/** A failed screen, within the shell: the thing in its path may be gone, but the route exists. */
export function ErrorBoundary() {
  const failure = useFailed()
  const frame = useRoot()?.main
  if (!frame) return <MainError {...failure} />
  return (
    <Shell frame={frame}>
      <ErrorBody {...failure} isKnown />
    </Shell>
  )
}
