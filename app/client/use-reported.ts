import { isRouteErrorResponse, useRouteError } from '@remix-run/react'
import { useEffect } from 'react'

/** The message in browsers for errors of the server, which it has reported already. */
const serverErrorText = 'Unexpected Server Error'

/** Reports the error of the error boundary to the server, if it happened in the browser. */
export function useReported() {
  const error = useRouteError()
  useEffect(() => {
    if (isRouteErrorResponse(error) || !(error instanceof Error) || error.message === serverErrorText) return
    const body = new URLSearchParams({
      message: `${error.name}: ${error.message}`,
      stack: error.stack ?? '',
      path: window.location.pathname,
    })
    navigator.sendBeacon('/report', body)
  }, [error])
}
