package rbac

// namespaceRoles are those of the system namespaces.
//
// Upstream: plugin/pkg/auth/authorizer/rbac/bootstrappolicy/namespace_policy.go NamespaceRoles
var namespaceRoles = []bootstrapRole{
	{name: "system:controller:bootstrap-signer", namespace: "kube-public", subjects: accounts("bootstrap-signer"), rules: []rule{
		on("core", "configmaps", read),
		on("core", "configmaps", "update").named("cluster-info"),
		sendEvents,
	}},
	{name: "extension-apiserver-authentication-reader", namespace: "kube-system", subjects: users("system:kube-controller-manager", "system:kube-scheduler"), binding: "system::extension-apiserver-authentication-reader", rules: []rule{
		on("core", "configmaps", read).named("extension-apiserver-authentication"),
	}},
	{name: "system::leader-locking-kube-controller-manager", namespace: "kube-system", subjects: append(users("system:kube-controller-manager"), accounts("kube-controller-manager", "leader-election-controller")...), rules: []rule{
		on("coordination.k8s.io", "leases", "create get list update watch"),
		on("coordination.k8s.io", "leasecandidates", "create get list update watch"),
	}},
	{name: "system::leader-locking-kube-scheduler", namespace: "kube-system", subjects: append(users("system:kube-scheduler"), accounts("kube-scheduler")...), rules: []rule{
		on("coordination.k8s.io", "leases", "create get list update watch"),
		on("coordination.k8s.io", "leasecandidates", "create get list update watch"),
	}},
	{name: "system:controller:bootstrap-signer", namespace: "kube-system", subjects: accounts("bootstrap-signer"), rules: []rule{
		on("core", "secrets", read),
	}},
	{name: "system:controller:cloud-provider", namespace: "kube-system", subjects: accounts("cloud-provider"), rules: []rule{
		on("core", "configmaps", "create get list watch"),
	}},
	{name: "system:controller:token-cleaner", namespace: "kube-system", subjects: accounts("token-cleaner"), rules: []rule{
		on("core", "secrets", "delete get list watch"),
		sendEvents,
	}},
}
