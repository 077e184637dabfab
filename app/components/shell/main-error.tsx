import { useRouteLoaderData } from '@remix-run/react'
import { ErrorView } from '#app/components/state/error-view.tsx'
import { Maintenance } from '#app/components/state/maintenance.tsx'
import { NotFound } from '#app/components/state/not-found.tsx'
import workspaceStyle from '#app/styles/workspace.css?url'
import type { MainFrame } from './frame.ts'
import { PageHead } from './page-head.tsx'
import { Shell } from './shell.tsx'

export interface MainErrorProps {
  status: number
  pathname: string
}

/**
 * What the workspace shows instead of a screen: "Status 500 or above on the root shows a System Maintenance page";
 * an unknown address has a way back; /error has the way home; everything else the error view. In the shell where the
 * frame could be read.
 */
export function MainError({ status, pathname }: MainErrorProps) {
  const frame = useRouteLoaderData<{ main: MainFrame | null }>('root')?.main
  if (status >= 500 && pathname === '/') {
    return (
      <>
        <link rel="stylesheet" href={workspaceStyle} />
        <Maintenance />
      </>
    )
  }
  const body = <ErrorBody status={status} pathname={pathname} isKnown={status !== 404} />
  return (
    <>
      <link rel="stylesheet" href={workspaceStyle} />
      {frame ? <Shell frame={frame}>{body}</Shell> : <main className="state-page">{body}</main>}
    </>
  )
}

/** `isKnown`: the address is one of ours, only what it names is not there. */
export function ErrorBody({ status, pathname, isKnown }: MainErrorProps & { isKnown: boolean }) {
  return (
    <div className="page-narrow">
      {pathname === '/error' ? <PageHead title="Error" crumbs={[{ label: 'Home', to: '/' }]} /> : null}
      {isKnown ? (
        <ErrorView status={status} level={pathname === '/error' ? 2 : 1} retryHref={pathname} />
      ) : (
        <NotFound />
      )}
    </div>
  )
}
