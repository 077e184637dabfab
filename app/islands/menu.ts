/** Makes a details menu close on a click outside, on Escape (focus returns to its summary) and when it is left. */
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

/** Makes a link to the page in another language keep what the reader has set: the query and the fragment of the address. */
export function wireLanguage(link: HTMLAnchorElement) {
  const { pathname } = new URL(link.href)
  // Known only when it is followed: a live map writes its view into the address.
  const follow = () => (link.href = pathname + location.search + location.hash)
  for (const event of ['pointerdown', 'focus', 'click']) link.addEventListener(event, follow)
}

/** Shows the button that collapses the sidebar; the choice is kept for the next page. */
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
      // Not stored; the choice holds for this page.
    }
  })
}

/** Makes a Back link go one page back; when the history is short it stays a link to the first page. */
export function wireBack(link: HTMLAnchorElement) {
  link.addEventListener('click', (event) => {
    if (history.length < 2) return
    event.preventDefault()
    history.back()
  })
}
