import { maintenanceWords } from '#functions/shapes/maintenance.ts'

/**
 * What a browser that asks for a page is told instead of a refusal it cannot read: while the database does not answer no
 * one is known, so no screen can be made. Refusals of other kinds, and those of programs, stay as they are.
 */
export function maintenanceInstead(request: Request, response: Response): Response {
  const wantsPage = request.headers.get('accept')?.includes('text/html') === true
  if (response.status < 500 || !wantsPage) return response
  const headers = new Headers(response.headers)
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
  return new Response(page(), { status: response.status, headers })
}

/** It needs no file of ours and no script: nothing else may work either. */
function page() {
  const { tag, title, text } = maintenanceWords
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${tag} · Commonplace</title>
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:20vh auto;padding:0 1rem}</style>
<main><p>${tag}</p><h1>${title}</h1><p>${text}</p></main></html>`
}
