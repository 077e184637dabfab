/** Closes a details menu on a click outside, on Escape (focus returns to its summary) and on blur. */
export function wireMenu(menu: HTMLDetailsElement) {
  const outside = (event: Event) => {
    if (menu.open && event.target instanceof Node && !menu.contains(event.target)) menu.open = false
  }
  document.addEventListener('click', outside)
  document.addEventListener('focusin', outside)
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return
    menu.open = false
    menu.querySelector('summary')?.focus()
  })
}

/** Keeps query and fragment of the URL in a language link. */
export function wireLanguage(link: HTMLAnchorElement) {
  const { pathname } = new URL(link.href)
  // Computed on use, as a live map updates the URL.
  const follow = () => (link.href = pathname + location.search + location.hash)
  for (const event of ['pointerdown', 'focus', 'click']) link.addEventListener(event, follow)
}

/** Shows the button that collapses the sidebar; the choice is stored. */
export function wireSidebar(button: HTMLButtonElement) {
  const html = document.documentElement
  const show = () => button.setAttribute('aria-expanded', String(html.dataset['sidebar'] !== 'collapsed'))
  show()
  button.hidden = false
  button.addEventListener('click', () => {
    const willCollapse = html.dataset['sidebar'] !== 'collapsed'
    if (willCollapse) html.dataset['sidebar'] = 'collapsed'
    else delete html.dataset['sidebar']
    show()
    try {
      localStorage.setItem('sidebar', willCollapse ? 'collapsed' : 'open')
    } catch {
      // Storage is blocked; the choice holds for this page.
    }
  })
}

/** Turns a Back link into history back; without history it stays a link to the home page. */
export function wireBack(link: HTMLAnchorElement) {
  link.addEventListener('click', (event) => {
    if (history.length < 2) return
    event.preventDefault()
    history.back()
  })
}
