import type { LinksFunction, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Outlet } from '@remix-run/react'
import { useWriter } from '#app/client/drafts/use-writer.ts'
import { useTimeZone } from '#app/client/use-time-zone.ts'
import { DateLocale, TimeZone } from '#app/components/list/time-zone.ts'
import { ProgressBar } from '#app/components/shell/progress-bar.tsx'
import { StepUpDialog } from './step-up-dialog.tsx'
import { Toasts } from '#app/components/shell/toasts.tsx'
import { useRoot } from '#app/root.tsx'
import { requireMode } from '#app/server/mode.server.ts'
import workspaceStyle from '#app/styles/workspace.css?url'

/** Screens of the workspace without navigation: sign-in, confirmation, welcome. */
export function loader(args: LoaderFunctionArgs) {
  return requireMode('main', args)
}

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: workspaceStyle }]

export default function PlainMode() {
  const frame = useRoot()?.main
  const timeZone = useTimeZone(frame?.place?.timeZone, frame?.reader.timeZone)
  useWriter(frame?.user?.id)
  return (
    <>
      <ProgressBar />
      <main className="plain" id="main">
        <TimeZone.Provider value={timeZone}>
          <DateLocale.Provider value={frame?.reader.locale ?? 'en'}>
            <Outlet />
          </DateLocale.Provider>
        </TimeZone.Provider>
      </main>
      <StepUpDialog />
      <Toasts />
    </>
  )
}
