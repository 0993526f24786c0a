// The reference was at /docs before this page, and linked to its parts by what follows the #: such a link leads on.
if (/^#(tag|description|webhook|model)s?\//.test(location.hash)) {
  location.replace(`/docs/reference${location.search}${location.hash}`);
}
