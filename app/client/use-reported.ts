import { isRouteErrorResponse, useRouteError } from '@remix-run/react'
import { useEffect } from 'react'

/** What the server says to browsers of its own errors, which it has reported already. */
const ofServer = 'Unexpected Server Error'

/** Tells the server of the error that is shown instead of a screen, where it came about in the browser. */
export function useReported() {
  const error = useRouteError()
  useEffect(() => {
    if (isRouteErrorResponse(error) || !(error instanceof Error) || error.message === ofServer) return
    const body = new URLSearchParams({
      message: `${error.name}: ${error.message}`,
      stack: error.stack ?? '',
      path: window.location.pathname,
    })
    navigator.sendBeacon('/report', body)
  }, [error])
}
