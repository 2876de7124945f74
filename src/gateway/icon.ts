/** A key; pages inline it, and so load nothing from elsewhere. */
export const ICON_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#2563eb" stroke-width="2"><circle cx="5" cy="8" r="3"/><path d="M8 8h7m-3 0v3"/></svg>';
export const ICON = `data:image/svg+xml,${encodeURIComponent(ICON_SVG)}`;
