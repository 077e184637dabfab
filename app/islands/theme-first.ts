/*
 * Runs before the first paint, as a blocking classic script in the head (built alone, no imports, no exports):
 * "a stored theme applies before first paint", and a collapsed sidebar does not jump.
 */
{
  const html = document.documentElement
  try {
    const stored = localStorage.getItem('theme')
    if (stored === 'dark-theme') html.classList.add('dark-theme')
    else if (stored === 'light-theme') html.dataset['theme'] = 'light'
    if (localStorage.getItem('sidebar') === 'collapsed') html.dataset['sidebar'] = 'collapsed'
  } catch {
    // Storage is refused (private mode, blocked cookies): the system's theme holds.
  }
}
