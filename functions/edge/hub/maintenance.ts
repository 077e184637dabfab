import { maintenanceWords } from '#functions/shapes/maintenance.ts'

/**
 * Replaces a 5xx response to a browser's page request by a readable maintenance page: while the database is
 * unavailable, no screen can be rendered. Other errors, and those to programs, are returned unchanged.
 */
export function maintenanceInstead(request: Request, response: Response): Response {
  const wantsPage = request.headers.get('accept')?.includes('text/html') === true
  if (response.status < 500 || !wantsPage) return response
  const headers = new Headers(response.headers)
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
  return new Response(page(), { status: response.status, headers })
}

/** Without scripts or other files, which may not be available either. */
function page() {
  const { tag, title, text } = maintenanceWords
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${tag} · Commonplace</title>
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:20vh auto;padding:0 1rem}</style>
<main><p>${tag}</p><h1>${title}</h1><p>${text}</p></main></html>`
}
