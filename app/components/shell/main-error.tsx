import { isRouteErrorResponse, useLocation, useRouteError, useRouteLoaderData } from '@remix-run/react'
import { useReported } from '#app/client/use-reported.ts'
import { Elsewhere, type ElsewherePlace } from '#app/components/state/elsewhere.tsx'
import { isDown } from '#app/components/state/error-texts.ts'
import { ErrorView } from '#app/components/state/error-view.tsx'
import { Maintenance } from '#app/components/state/maintenance.tsx'
import { NotFound } from '#app/components/state/not-found.tsx'
import workspaceStyle from '#app/styles/workspace.css?url'
import type { MainFrame } from './frame.ts'
import { PageHead } from './page-head.tsx'
import { Shell } from './shell.tsx'

interface MainErrorProps {
  status: number
  /** What the address says after the path: "Try again" asks for the same. */
  search: string
  pathname: string
  /** By which support finds the failure; null for what is no fault of ours. */
  requestId: string | null
  /** Another place of the person, which has what was not found here. */
  elsewhere?: ElsewherePlace | null
  /** Who may do what was refused, in a sentence. */
  who?: string
}

/** What a screen failed with, and where: for the boundaries of the workspace. What failed in the browser is reported. */
export function useFailed(): MainErrorProps {
  useReported()
  const { pathname, search } = useLocation()
  return { ...failureIn(useRouteError()), pathname, search }
}

/** The status of an error, its reference where the fault is ours, and where to look where there is nothing. */
export function failureIn(
  error: unknown,
): Pick<MainErrorProps, 'status' | 'requestId' | 'elsewhere' | 'who'> {
  if (!isRouteErrorResponse(error)) return { status: 500, requestId: null }
  const { status, data } = error
  const details = data as { requestId?: unknown; elsewhere?: ElsewherePlace; who?: unknown } | null
  return {
    status,
    requestId: status >= 500 && typeof details?.requestId === 'string' ? details.requestId : null,
    ...(details?.elsewhere ? { elsewhere: details.elsewhere } : {}),
    ...(typeof details?.who === 'string' ? { who: details.who } : {}),
  }
}

/**
 * What the workspace shows instead of a screen: "Status 500 or above on the root shows a System Maintenance page";
 * an unknown address has a way back; /error has the way home; everything else the error view. In the shell where the
 * frame could be read.
 */
export function MainError(props: MainErrorProps) {
  const { status, pathname } = props
  const frame = useRouteLoaderData<{ main: MainFrame | null }>('root')?.main
  // Without a frame the root itself failed: no screen works then.
  if (isDown({ status, pathname, hasFrame: Boolean(frame) })) {
    return (
      <>
        <link rel="stylesheet" href={workspaceStyle} />
        <Maintenance />
      </>
    )
  }
  const body = <ErrorBody {...props} isKnown={status !== 404} />
  return (
    <>
      <link rel="stylesheet" href={workspaceStyle} />
      {frame ? <Shell frame={frame}>{body}</Shell> : <main className="state-page">{body}</main>}
    </>
  )
}

/** `isKnown`: the address is one of ours, only what it names is not there. */
export function ErrorBody(props: MainErrorProps & { isKnown: boolean }) {
  const { status, pathname, search, requestId, isKnown, elsewhere, who } = props
  return (
    <div className="page-narrow">
      {pathname === '/error' ? <PageHead title="Error" crumbs={[{ label: 'Home', to: '/' }]} /> : null}
      {elsewhere ? (
        <Elsewhere place={elsewhere} to={pathname + search} />
      ) : isKnown ? (
        <ErrorView
          status={status}
          level={pathname === '/error' ? 2 : 1}
          retryHref={pathname + search}
          {...(requestId === null ? {} : { requestId })}
          {...(who === undefined ? {} : { who })}
        />
      ) : (
        <NotFound />
      )}
    </div>
  )
}
