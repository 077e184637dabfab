import { isRouteErrorResponse, useLocation, useRouteError, useRouteLoaderData } from '@remix-run/react'
import { useReported } from '#app/client/use-reported.ts'
import { OtherPlaceOffer, type OfferedPlace } from '#app/components/state/other-place.tsx'
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
  /** The query string, for "Try again". */
  search: string
  pathname: string
  /** The reference for support; null for errors that are not ours. */
  requestId: string | null
  /** Another place of the person, which has what was not found here. */
  elsewhere?: OfferedPlace | null
  /** Which roles may do what was forbidden, in a sentence. */
  who?: string
}

/** The error of a boundary in the workspace, with its location. Errors in the browser are reported. */
export function useFailed(): MainErrorProps {
  useReported()
  const { pathname, search } = useLocation()
  return { ...failureIn(useRouteError()), pathname, search }
}

/** Status and reference of an error, and where else to look after a 404. */
export function failureIn(
  error: unknown,
): Pick<MainErrorProps, 'status' | 'requestId' | 'elsewhere' | 'who'> {
  if (!isRouteErrorResponse(error)) return { status: 500, requestId: null }
  const { status, data } = error
  const details = data as { requestId?: unknown; elsewhere?: OfferedPlace; who?: unknown } | null
  return {
    status,
    requestId: status >= 500 && typeof details?.requestId === 'string' ? details.requestId : null,
    ...(details?.elsewhere ? { elsewhere: details.elsewhere } : {}),
    ...(typeof details?.who === 'string' ? { who: details.who } : {}),
  }
}

/**
 * The error page of the workspace: "Status 500 or above on the root shows a System Maintenance page"; 404 has a way back; /error links
 * home; other errors have the error view. Within the shell if the frame could be loaded.
 */
export function MainError(props: MainErrorProps) {
  const { status, pathname } = props
  const frame = useRouteLoaderData<{ main: MainFrame | null }>('root')?.main
  // Without a frame the root failed, so no screen works.
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

/** `isKnown`: the route exists, only the thing in its path does not. */
export function ErrorBody(props: MainErrorProps & { isKnown: boolean }) {
  const { status, pathname, search, requestId, isKnown, elsewhere, who } = props
  return (
    <div className="page-narrow">
      {pathname === '/error' ? <PageHead title="Error" crumbs={[{ label: 'Home', to: '/' }]} /> : null}
      {elsewhere ? (
        <OtherPlaceOffer place={elsewhere} to={pathname + search} />
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
