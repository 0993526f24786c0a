/** The script that starts the renderer of the reference with the demo key. It sends no requests to other hosts. */
export function referenceScript(demoKey: string | null): string {
  const settings = {
    url: '/docs/openapi.json',
    withDefaultFonts: false,
    telemetry: false,
    proxyUrl: '',
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    layout: 'modern',
    theme: 'default',
    documentDownloadType: 'both',
    defaultOpenAllTags: false,
    // Every operation shows its own schemas.
    hideModels: true,
    // The bar has the search and the switch between light and dark.
    hideSearch: true,
    hideDarkModeToggle: true,
    persistAuth: false,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    authentication: {
      preferredSecurityScheme: 'ApiKey',
      ...(demoKey === null ? {} : { securitySchemes: { ApiKey: { token: demoKey } } }),
    },
  };
  return `Scalar.createApiReference('#reference', {
  ...${JSON.stringify(settings, null, 2).replaceAll('\n', '\n  ')},
  servers: [{ url: \`\${location.origin}/api/v1\`, description: 'This server' }],
});
`;
}
